// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vphone: the parts of a phone, besides its storage, that maintenance asks about:
 * a battery, a charger, a touch screen, a thermal zone. All values are module parameters that
 * may be written at any time; `hang` takes the CPU away for good.
 */
#include <linux/input.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/power_supply.h>
#include <linux/thermal.h>

#include "compat.h"

#define VPHONE_WIDTH 1280
#define VPHONE_HEIGHT 800

static int capacity = 85;
static int ac_online;
static int temp = 250;
static int zone_temp = 35000;
static int voltage_mv = 3900;
static int health = POWER_SUPPLY_HEALTH_GOOD;
static int status = -1;

static struct platform_device *vphone_device;
static struct power_supply *vphone_battery;
static struct power_supply *vphone_ac;
static struct input_dev *vphone_touch;
static struct thermal_zone_device *vphone_zone;

static const enum power_supply_property vphone_battery_props[] = {
	POWER_SUPPLY_PROP_STATUS,
	POWER_SUPPLY_PROP_HEALTH,
	POWER_SUPPLY_PROP_PRESENT,
	POWER_SUPPLY_PROP_TECHNOLOGY,
	POWER_SUPPLY_PROP_CAPACITY,
	POWER_SUPPLY_PROP_TEMP,
	POWER_SUPPLY_PROP_VOLTAGE_NOW,
};

static const enum power_supply_property vphone_ac_props[] = {
	POWER_SUPPLY_PROP_ONLINE,
};

static int vphone_status(void)
{
	if (status >= 0)
		return status;
	if (!ac_online)
		return POWER_SUPPLY_STATUS_DISCHARGING;
	return capacity >= 100 ? POWER_SUPPLY_STATUS_FULL :
				 POWER_SUPPLY_STATUS_CHARGING;
}

static int vphone_battery_get(struct power_supply *psy,
			      enum power_supply_property prop,
			      union power_supply_propval *val)
{
	switch (prop) {
	case POWER_SUPPLY_PROP_STATUS:
		val->intval = vphone_status();
		return 0;
	case POWER_SUPPLY_PROP_HEALTH:
		val->intval = health;
		return 0;
	case POWER_SUPPLY_PROP_PRESENT:
		val->intval = 1;
		return 0;
	case POWER_SUPPLY_PROP_TECHNOLOGY:
		val->intval = POWER_SUPPLY_TECHNOLOGY_LION;
		return 0;
	case POWER_SUPPLY_PROP_CAPACITY:
		val->intval = capacity;
		return 0;
	case POWER_SUPPLY_PROP_TEMP:
		val->intval = temp;
		return 0;
	case POWER_SUPPLY_PROP_VOLTAGE_NOW:
		val->intval = voltage_mv * 1000;
		return 0;
	default:
		return -EINVAL;
	}
}

static int vphone_ac_get(struct power_supply *psy,
			 enum power_supply_property prop,
			 union power_supply_propval *val)
{
	if (prop != POWER_SUPPLY_PROP_ONLINE)
		return -EINVAL;
	val->intval = ac_online;
	return 0;
}

static const struct power_supply_desc vphone_battery_desc = {
	.name = "battery",
	.type = POWER_SUPPLY_TYPE_BATTERY,
	.properties = vphone_battery_props,
	.num_properties = ARRAY_SIZE(vphone_battery_props),
	.get_property = vphone_battery_get,
};

static const struct power_supply_desc vphone_ac_desc = {
	.name = "ac",
	.type = POWER_SUPPLY_TYPE_MAINS,
	.properties = vphone_ac_props,
	.num_properties = ARRAY_SIZE(vphone_ac_props),
	.get_property = vphone_ac_get,
};

static int vphone_zone_get(struct thermal_zone_device *zone, int *value)
{
	*value = zone_temp;
	return 0;
}

static const struct thermal_zone_device_ops vphone_zone_ops = {
	.get_temp = vphone_zone_get,
};

/* Every change sends a uevent, as a real charger does. */
static int vphone_set(const char *text, const struct kernel_param *kp)
{
	int err = param_set_int(text, kp);

	if (err)
		return err;
	if (vphone_battery)
		power_supply_changed(vphone_battery);
	if (vphone_ac)
		power_supply_changed(vphone_ac);
	return 0;
}

static int vphone_set_capacity(const char *text, const struct kernel_param *kp)
{
	int value;
	int err = kstrtoint(text, 0, &value);

	if (err)
		return err;
	if (value < 0 || value > 100)
		return -ERANGE;
	return vphone_set(text, kp);
}

static const struct kernel_param_ops vphone_ops = {
	.set = vphone_set,
	.get = param_get_int,
};

static const struct kernel_param_ops vphone_capacity_ops = {
	.set = vphone_set_capacity,
	.get = param_get_int,
};

/* A tap in the middle of the screen. */
static int vphone_set_touch(const char *text, const struct kernel_param *kp)
{
	bool tap;
	int err = kstrtobool(text, &tap);

	if (err || !tap)
		return err;
	if (!vphone_touch)
		return -ENODEV;
	input_report_abs(vphone_touch, ABS_X, VPHONE_WIDTH / 2);
	input_report_abs(vphone_touch, ABS_Y, VPHONE_HEIGHT / 2);
	input_report_key(vphone_touch, BTN_TOUCH, 1);
	input_sync(vphone_touch);
	input_report_key(vphone_touch, BTN_TOUCH, 0);
	input_sync(vphone_touch);
	return 0;
}

static const struct kernel_param_ops vphone_touch_ops = {
	.set = vphone_set_touch,
};

static int vphone_set_hang(const char *text, const struct kernel_param *kp)
{
	unsigned long flags;
	bool hang;
	int err = kstrtobool(text, &hang);

	if (err || !hang)
		return err;
	local_irq_save(flags);
	/* Halts rather than spins: an emulator that skips idle time reaches the watchdog at once. */
	for (;;)
		halt();
	return 0;
}

static const struct kernel_param_ops vphone_hang_ops = {
	.set = vphone_set_hang,
};

module_param_cb(capacity, &vphone_capacity_ops, &capacity, 0644);
MODULE_PARM_DESC(capacity, "battery: charge, percent (85)");
module_param_cb(ac_online, &vphone_ops, &ac_online, 0644);
MODULE_PARM_DESC(ac_online, "charger: 1 plugged in, 0 not (0)");
module_param_cb(temp, &vphone_ops, &temp, 0644);
MODULE_PARM_DESC(temp, "battery: temperature, tenths of a degree Celsius (250)");
module_param(zone_temp, int, 0644);
MODULE_PARM_DESC(zone_temp, "thermal zone vphone-soc: temperature, thousandths of a degree Celsius (35000)");
module_param_cb(voltage_mv, &vphone_ops, &voltage_mv, 0644);
MODULE_PARM_DESC(voltage_mv, "battery: voltage, mV (3900)");
module_param_cb(health, &vphone_ops, &health, 0644);
MODULE_PARM_DESC(health, "battery: POWER_SUPPLY_HEALTH_*, 1 good, 2 overheat, 3 dead (1)");
module_param_cb(status, &vphone_ops, &status, 0644);
MODULE_PARM_DESC(status, "battery: POWER_SUPPLY_STATUS_*, 1 charging, 2 discharging, 3 not charging, 4 full, -1 as charger and charge say (-1)");
module_param_cb(touch, &vphone_touch_ops, NULL, 0200);
MODULE_PARM_DESC(touch, "write 1: a tap in the middle of the screen");
module_param_cb(hang, &vphone_hang_ops, NULL, 0200);
MODULE_PARM_DESC(hang, "write 1: the writing CPU halts with interrupts off, for ever");

static int vphone_touch_register(struct device *dev)
{
	struct input_dev *input = devm_input_allocate_device(dev);
	int err;

	if (!input)
		return -ENOMEM;
	input->name = "vphone-touch";
	input->phys = "vphone/input0";
	input->id.bustype = BUS_VIRTUAL;
	__set_bit(INPUT_PROP_DIRECT, input->propbit);
	input_set_capability(input, EV_KEY, BTN_TOUCH);
	input_set_abs_params(input, ABS_X, 0, VPHONE_WIDTH - 1, 0, 0);
	input_set_abs_params(input, ABS_Y, 0, VPHONE_HEIGHT - 1, 0, 0);
	err = input_register_device(input);
	if (!err)
		vphone_touch = input;
	return err;
}

static int vphone_register(struct device *dev)
{
	struct thermal_zone_device *zone;
	struct power_supply *psy;

	zone = thermal_tripless_zone_device_register("vphone-soc", NULL,
						     &vphone_zone_ops, NULL);
	if (IS_ERR(zone))
		return PTR_ERR(zone);
	vphone_zone = zone;
	psy = devm_power_supply_register(dev, &vphone_ac_desc, NULL);
	if (IS_ERR(psy))
		return PTR_ERR(psy);
	vphone_ac = psy;
	psy = devm_power_supply_register(dev, &vphone_battery_desc, NULL);
	if (IS_ERR(psy))
		return PTR_ERR(psy);
	vphone_battery = psy;
	return vphone_touch_register(dev);
}

static int vphone_probe(struct platform_device *pdev)
{
	int err;

	/* Parameters may be written while this runs. */
	kernel_param_lock(THIS_MODULE);
	err = vphone_register(&pdev->dev);
	if (err) {
		thermal_zone_device_unregister(vphone_zone);
		vphone_zone = NULL;
		vphone_ac = NULL;
		vphone_battery = NULL;
	}
	kernel_param_unlock(THIS_MODULE);
	return err;
}

static void vphone_remove(struct platform_device *pdev)
{
	thermal_zone_device_unregister(vphone_zone);
	kernel_param_lock(THIS_MODULE);
	vphone_zone = NULL;
	vphone_touch = NULL;
	vphone_ac = NULL;
	vphone_battery = NULL;
	kernel_param_unlock(THIS_MODULE);
}
COMPAT_REMOVE(vphone_remove)

static struct platform_driver vphone_driver = {
	.probe = vphone_probe,
	.remove = COMPAT_REMOVE_OF(vphone_remove),
	.driver = {
		.name = "vphone",
	},
};

static int __init vphone_init(void)
{
	int err = platform_driver_register(&vphone_driver);

	if (err)
		return err;
	vphone_device = platform_device_register_simple("vphone", 0, NULL, 0);
	if (!IS_ERR(vphone_device))
		return 0;
	platform_driver_unregister(&vphone_driver);
	return PTR_ERR(vphone_device);
}
module_init(vphone_init);

static void __exit vphone_exit(void)
{
	platform_device_unregister(vphone_device);
	platform_driver_unregister(&vphone_driver);
}
module_exit(vphone_exit);

MODULE_DESCRIPTION("Battery, charger, touch screen and thermal zone of a virtual phone");
MODULE_AUTHOR("The Storekeeper Project");
MODULE_LICENSE("GPL");
