// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper.page;

import android.content.Context;
import android.content.pm.PackageManager;
import android.icu.text.DateFormat;
import android.icu.text.ListFormatter;
import android.icu.text.MeasureFormat;
import android.icu.text.NumberFormat;
import android.icu.util.Measure;
import android.icu.util.MeasureUnit;
import android.icu.util.TimeZone;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A Status in the words, numbers and dates of the user's language. */
final class Words {
    private final Context context;
    private final Status status;
    private final Locale locale;

    Words(Context context, Status status) {
        this.context = context;
        this.status = status;
        locale = context.getResources().getConfiguration().getLocales().get(0);
    }

    /** A sentence a line; "" without warnings. */
    String warnings() {
        final Set<String> lines = new LinkedHashSet<>();
        for (Status.Alert alert : status.alerts) {
            final String text = alert.code.equals("write_budget") && !status.overBudget.isEmpty()
                    ? context.getString(R.string.warning_budget_of, apps())
                    : context.getString(warning(alert.code));
            lines.add(alert.urgent ? context.getString(R.string.urgent, text) : text);
        }
        return String.join("\n", lines);
    }

    String life() {
        return status.life.map(life -> life.high == 0 ? context.getString(R.string.life_over)
                        : context.getString(R.string.range, percent(life.low), percent(life.high)))
                .orElse(context.getString(R.string.not_reported));
    }

    String expected() {
        if (!status.life.isPresent() || status.life.get().high == 0) return life();
        if (!status.endsFrom.isPresent()) return context.getString(R.string.expected_unknown);
        final String from = month(status.endsFrom.get());
        return status.endsTo.map(to -> context.getString(R.string.range, from, month(to)))
                .orElse(context.getString(R.string.expected_at_least, from));
    }

    String written() {
        return status.writtenBytes.map(this::size)
                .orElse(context.getString(R.string.not_counted));
    }

    /** The time of the last one, and each reason why there was none lately, a line each. */
    String maintenance() {
        if (status.reportOnly) return context.getString(R.string.wait_framework);
        if (status.trimming) return context.getString(R.string.maintenance_now);
        final Set<String> lines = new LinkedHashSet<>();
        lines.add(status.lastRun.map(this::day)
                .orElse(context.getString(R.string.maintenance_never)));
        if (status.quarantine.isPresent()) {
            lines.add(context.getString(R.string.maintenance_ended, day(status.quarantine.get())));
            return String.join("\n", lines);
        }
        if (!status.lastOutcome.isEmpty() && !status.lastOutcome.equals("trimmed")) {
            lines.add(context.getString(failure(status.lastOutcome)));
        }
        for (String gate : status.waitingFor) {
            lines.add(context.getString(waiting(gate)));
        }
        return String.join("\n", lines);
    }

    /** By the code of an alert: health/alerts.h. */
    private static int warning(String code) {
        switch (code) {
            case "life_a": case "life_b": return R.string.warning_life;
            case "pre_eol": return R.string.warning_spare;
            case "write_rate": return R.string.warning_rate;
            case "forecast": return R.string.warning_forecast;
            case "critical_health": return R.string.warning_critical;
            case "trim": return R.string.warning_trim;
            case "write_budget": return R.string.warning_budget;
            default: return R.string.warning_other;
        }
    }

    /** By the closed gate that a run waits for: maintenance/policy/gates.cpp. */
    private static int waiting(String gate) {
        switch (gate) {
            case "untouched": return R.string.wait_unused;
            case "battery": return R.string.wait_battery;
            case "heat": case "zones": return R.string.wait_heat;
            case "storage": return R.string.wait_busy;
            case "checkpoint": return R.string.wait_update;
            case "framework": return R.string.wait_framework;
            case "chip": return R.string.wait_chip;
            case "canary": return R.string.wait_restart;
            case "state": return R.string.wait_records;
            default: return R.string.wait_other;
        }
    }

    /** By the outcome of the last run, except trimmed: maintenance/trim/receipt.h. */
    private static int failure(String outcome) {
        switch (outcome) {
            case "aborted": return R.string.last_interrupted;
            case "no_discard": case "no_trim": return R.string.last_unsupported;
            case "chip_quirk": return R.string.wait_chip;
            default: return R.string.last_failed;
        }
    }

    private String apps() {
        final PackageManager packages = context.getPackageManager();
        final List<String> names = new ArrayList<>();
        int unnamed = 0;
        for (int uid : status.overBudget) {
            final String[] found = packages.getPackagesForUid(uid);
            try {
                if (found == null) throw new PackageManager.NameNotFoundException();
                names.add(packages.getApplicationInfo(found[0], 0).loadLabel(packages).toString());
            } catch (PackageManager.NameNotFoundException e) {
                // The app of another user, or one without an activity.
                ++unnamed;
            }
        }
        if (unnamed > 0) {
            names.add(context.getResources().getQuantityString(R.plurals.unnamed_apps, unnamed,
                    NumberFormat.getInstance(locale).format(unnamed)));
        }
        return ListFormatter.getInstance(locale).format(names);
    }

    private String size(long bytes) {
        final NumberFormat number = NumberFormat.getInstance(locale);
        number.setMaximumFractionDigits(1);
        final double gigabytes = bytes / 1e9;
        return MeasureFormat.getInstance(locale, MeasureFormat.FormatWidth.SHORT, number)
                .format(gigabytes < 1000 ? new Measure(gigabytes, MeasureUnit.GIGABYTE)
                        : new Measure(gigabytes / 1000, MeasureUnit.TERABYTE));
    }

    private String percent(int value) {
        return NumberFormat.getPercentInstance(locale).format(value / 100.0);
    }

    /** The first day of a month exists in every month and calendar; UTC keeps it in that month. */
    private String month(YearMonth month) {
        final DateFormat format = DateFormat.getInstanceForSkeleton("yMMMM", locale);
        format.setTimeZone(TimeZone.GMT_ZONE);
        return format.format(Date.from(month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC)));
    }

    /** The day in the device's time zone. */
    private String day(Instant time) {
        return DateFormat.getInstanceForSkeleton("yMMMMd", locale).format(Date.from(time));
    }
}
