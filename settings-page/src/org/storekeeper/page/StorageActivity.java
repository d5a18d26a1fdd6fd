// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper.page;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.ProgressBar;
import android.widget.TextView;

/** The page of Settings that shows the owner how worn the storage is. */
public final class StorageActivity extends Activity {
    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        setContentView(R.layout.page);
        getActionBar().setDisplayHomeAsUpEnabled(true);
    }

    @Override
    public boolean onNavigateUp() {
        finish();
        return true;
    }

    @Override
    protected void onResume() {
        super.onResume();
        final Status status = Status.read();
        final Words words = new Words(this, status);
        this.<TextView>findViewById(R.id.state).setText(status.state.name);
        this.<TextView>findViewById(R.id.advice).setText(status.state.advice);

        final boolean measured = status.state != Status.State.STOPPED
                && status.state != Status.State.UNMEASURED;
        final String warnings = words.warnings();
        row(R.id.warnings, R.string.warnings, warnings, measured && !warnings.isEmpty());
        row(R.id.life, R.string.life, words.life(), measured);
        final ProgressBar bar = findViewById(R.id.bar);
        bar.setVisibility(measured && status.life.isPresent() ? View.VISIBLE : View.GONE);
        status.life.ifPresent(life -> {
            bar.setProgress(life.low);
            bar.setSecondaryProgress(life.high);
        });
        row(R.id.expected, R.string.expected, words.expected(), measured);
        row(R.id.written, R.string.written, words.written(), measured);
        row(R.id.maintenance, R.string.maintenance, words.maintenance(),
                status.state != Status.State.STOPPED);
    }

    private void row(int id, int name, String value, boolean shown) {
        final View row = findViewById(id);
        row.setVisibility(shown ? View.VISIBLE : View.GONE);
        row.<TextView>findViewById(R.id.name).setText(name);
        row.<TextView>findViewById(R.id.value).setText(value);
    }
}
