// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vqcrypto: a crypto engine that is found, counted and taken away like Qualcomm's. The module, its
 * platform driver and its device have the names they have on a device: qcrypto, qcrypto, qcrypto.0.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/string.h>

#include "vqcrypto.h"
#include "../compat.h"

struct vqcrypto_params vqcrypto_params = {
	.priority = 300,
	.setup_encrypt_ns = 173000,
	.setup_decrypt_ns = 118300,
	.kb_s = 40000,
};

static char *generation = "3.4";
module_param(generation, charp, 0444);
MODULE_PARM_DESC(generation, "whose names and counters: 3.4, 8974, 3.18 or mainline (3.4)");

module_param_named(priority, vqcrypto_params.priority, uint, 0444);
MODULE_PARM_DESC(priority, "cra_priority of the ciphers (300)");
module_param_named(use_sw, vqcrypto_params.use_sw, bool, 0444);
MODULE_PARM_DESC(use_sw, "the ciphers are called qcom-cbc(aes) and so on, as with qcom,use-sw-aes-* in a device tree (0)");
module_param_named(allocates_memory, vqcrypto_params.allocates_memory, bool, 0444);
MODULE_PARM_DESC(allocates_memory, "CRYPTO_ALG_ALLOCATES_MEMORY: dm-crypt passes such ciphers by (0)");
module_param_named(setup_encrypt_ns, vqcrypto_params.setup_encrypt_ns, uint, 0644);
MODULE_PARM_DESC(setup_encrypt_ns, "time of an encryption beside its bytes, ns (173000)");
module_param_named(setup_decrypt_ns, vqcrypto_params.setup_decrypt_ns, uint, 0644);
MODULE_PARM_DESC(setup_decrypt_ns, "time of a decryption beside its bytes, ns (118300)");
module_param_named(kb_s, vqcrypto_params.kb_s, uint, 0644);
MODULE_PARM_DESC(kb_s, "bandwidth, 10^3 bytes a second, 0 for any (40000)");

static struct platform_device *vqcrypto_device;

/* The drivers before mainline's have no parameters; a module cannot leave one out. */
static int vqcrypto_set_aes_sw_max_len(const char *text,
				       const struct kernel_param *kp)
{
	if (vqcrypto_device && vqcrypto_params.generation != VQCRYPTO_MAINLINE)
		return -EPERM;
	return param_set_uint(text, kp);
}

static const struct kernel_param_ops vqcrypto_aes_sw_max_len_ops = {
	.set = vqcrypto_set_aes_sw_max_len,
	.get = param_get_uint,
};

module_param_cb(aes_sw_max_len, &vqcrypto_aes_sw_max_len_ops,
		&vqcrypto_params.aes_sw_max_len, 0644);
MODULE_PARM_DESC(aes_sw_max_len, "generation=mainline: requests of up to so many bytes are the CPU's (0)");

static const char * const vqcrypto_generations[] = {
	[VQCRYPTO_3_4] = "3.4",
	[VQCRYPTO_8974] = "8974",
	[VQCRYPTO_3_18] = "3.18",
	[VQCRYPTO_MAINLINE] = "mainline",
};

static int vqcrypto_probe(struct platform_device *pdev)
{
	int err = vqcrypto_engine_start(vqcrypto_serve);

	if (err)
		return err;
	err = vqcrypto_ciphers_register();
	if (err)
		vqcrypto_engine_stop();
	return err;
}

static void vqcrypto_remove(struct platform_device *pdev)
{
	const char *used = vqcrypto_cipher_in_use();

	/* Linux 6.12 would go on with a warning. Where there are such engines it is BUG_ON(). */
	if (used)
		panic("vqcrypto: %s is in use: crypto_unregister_alg() of Linux 3.4 stops here\n",
		      used);
	vqcrypto_ciphers_unregister();
	vqcrypto_engine_stop();
}
COMPAT_REMOVE(vqcrypto_remove)

static struct platform_driver vqcrypto_driver = {
	.probe = vqcrypto_probe,
	.remove = COMPAT_REMOVE_OF(vqcrypto_remove),
	.driver = {
		.name = "qcrypto",
	},
};

static int __init vqcrypto_init(void)
{
	int err = match_string(vqcrypto_generations,
			       ARRAY_SIZE(vqcrypto_generations), generation);

	if (err < 0) {
		pr_err("vqcrypto: bad parameter: generation: 3.4, 8974, 3.18 or mainline\n");
		return err;
	}
	vqcrypto_params.generation = err;
	vqcrypto_debugfs_init();
	err = platform_driver_register(&vqcrypto_driver);
	if (err)
		goto out_debugfs;
	vqcrypto_device = platform_device_register_simple("qcrypto", 0, NULL, 0);
	if (!IS_ERR(vqcrypto_device))
		return 0;
	err = PTR_ERR(vqcrypto_device);
	platform_driver_unregister(&vqcrypto_driver);
out_debugfs:
	vqcrypto_debugfs_exit();
	return err;
}
module_init(vqcrypto_init);

static void __exit vqcrypto_exit(void)
{
	platform_device_unregister(vqcrypto_device);
	platform_driver_unregister(&vqcrypto_driver);
	vqcrypto_debugfs_exit();
}
module_exit(vqcrypto_exit);

MODULE_DESCRIPTION("Crypto engine of a virtual phone");
MODULE_AUTHOR("The Storekeeper Project");
MODULE_LICENSE("GPL");
