// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper.page;

import android.sysprop.StorekeeperProperties;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The reports of storekeeperd, from the properties storekeeper.status.*. docs/properties.md says
 * what each means. A value that is not known is absent.
 */
final class Status {
    /** From good to bad: the worst of the verdict and of the alerts. */
    enum State {
        STOPPED(R.string.state_stopped, R.string.advice_stopped),
        UNMEASURED(R.string.state_unmeasured, R.string.advice_unmeasured),
        UNKNOWN(R.string.state_unknown, R.string.advice_unknown),
        GOOD(R.string.state_good, R.string.advice_good),
        WARNING(R.string.state_warning, R.string.advice_warning),
        URGENT(R.string.state_urgent, R.string.advice_urgent);

        final int name;
        final int advice;

        State(int name, int advice) {
            this.name = name;
            this.advice = advice;
        }
    }

    /** Percent of the chip's rated life that remain: at least low, at most high. */
    static final class Life {
        final int low;
        final int high;

        Life(int low, int high) {
            this.low = low;
            this.high = high;
        }
    }

    static final class Alert {
        final String code;
        final boolean urgent;

        Alert(String code, boolean urgent) {
            this.code = code;
            this.urgent = urgent;
        }
    }

    final State state;
    final Optional<Life> life;
    final Optional<YearMonth> endsFrom;
    final Optional<YearMonth> endsTo;
    final Optional<Long> writtenBytes;
    final boolean trimming;
    /** Android trims this device, not Storekeeper. */
    final boolean reportOnly;
    final Optional<Instant> lastRun;
    final String lastOutcome;
    final List<String> waitingFor;
    final Optional<Instant> quarantine;
    final List<Alert> alerts = new ArrayList<>();
    final List<Integer> overBudget;

    private Status() {
        for (String alert : list(StorekeeperProperties.alerts())) {
            final String[] words = alert.split(":");
            alerts.add(new Alert(words[0], words.length > 1 && words[1].equals("urgent")));
        }
        state = state();
        life = life();
        endsFrom = StorekeeperProperties.forecast_end().flatMap(Status::month);
        endsTo = StorekeeperProperties.forecast_latest().flatMap(Status::month);
        writtenBytes = StorekeeperProperties.written_bytes();
        trimming = StorekeeperProperties.state()
                .equals(Optional.of(StorekeeperProperties.state_values.TRIMMING));
        reportOnly = StorekeeperProperties.state()
                .equals(Optional.of(StorekeeperProperties.state_values.REPORT_ONLY));
        lastRun = StorekeeperProperties.last_run().map(Instant::ofEpochSecond);
        lastOutcome = StorekeeperProperties.last_outcome().orElse("");
        waitingFor = list(StorekeeperProperties.waiting_for());
        quarantine = StorekeeperProperties.trim_quarantine().map(Instant::ofEpochSecond);
        overBudget = StorekeeperProperties.over_budget();
    }

    static Status read() {
        return new Status();
    }

    private State state() {
        if (!StorekeeperProperties.state().isPresent()) return State.STOPPED;
        if (!StorekeeperProperties.level().isPresent()) return State.UNMEASURED;
        State worst = State.valueOf(StorekeeperProperties.level().get().name());
        for (Alert alert : alerts) {
            final State state = alert.urgent ? State.URGENT : State.WARNING;
            if (state.compareTo(worst) > 0) worst = state;
        }
        return worst;
    }

    private static Optional<Life> life() {
        final Optional<Integer> used = StorekeeperProperties.life_used_pct();
        final Optional<Integer> remaining = StorekeeperProperties.life_remaining_pct();
        if (!used.isPresent() || !remaining.isPresent()) return Optional.empty();
        return Optional.of(new Life(Math.max(100 - used.get(), 0), remaining.get()));
    }

    /** "2031-02"; another text, such as "unknown" or "2031-13", is no month. */
    private static Optional<YearMonth> month(String text) {
        try {
            return Optional.of(YearMonth.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static List<String> list(Optional<String> text) {
        return text.map(t -> List.of(t.split(","))).orElse(List.of());
    }
}
