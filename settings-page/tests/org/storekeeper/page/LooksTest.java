// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.text.Layout;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;

import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.shadows.ShadowLooper;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Each screen drawn: nothing is cut, text stands out, TalkBack reads rows. */
@RunWith(RobolectricTestRunner.class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(qualifiers = "w320dp-h640dp-xhdpi")
public final class LooksTest {
    /** Name and properties of each screen. */
    private static final String[][] SCREENS = {
            {"good", "state=idle level=good life_used_pct=40 life_remaining_pct=70 alerts= "
                    + "forecast_end=2031-02 forecast_latest=2033-08 written_bytes=14200000000000 "
                    + "last_run=1795824000 last_outcome=trimmed waiting_for=untouched,battery "
                    + "trim_quarantine= over_budget="},
            {"warning", "level=warning life_used_pct=90 life_remaining_pct=20 "
                    + "forecast_end=2027-03 forecast_latest=2027-09 "
                    + "alerts=life_a:warning,forecast:warning waiting_for="},
            {"urgent", "level=urgent life_used_pct=100 life_remaining_pct=0 "
                    + "alerts=pre_eol:urgent,life_a:urgent forecast_end=unknown forecast_latest= "
                    + "last_outcome=io_error"},
            {"unknown", "level=unknown life_used_pct= life_remaining_pct= alerts= "
                    + "written_bytes= last_run= last_outcome= waiting_for=untouched"},
            {"not-running", "state="},
            {"quarantined", "state=idle level=good life_used_pct=10 life_remaining_pct=100 "
                    + "forecast_end=2041-05 alerts=trim:urgent trim_quarantine=1795910400 "
                    + "written_bytes=90000000000 last_run=1795824000 last_outcome=chip_quirk"},
            {"over-budget", "alerts=write_budget:warning trim_quarantine= last_outcome=trimmed "
                    + "over_budget=10123,1010087"},
    };

    private static List<TextView> texts(View view) {
        final List<TextView> found = new ArrayList<>();
        if (view.getVisibility() != View.VISIBLE) return found;
        if (view instanceof TextView) found.add((TextView) view);
        if (view instanceof ViewGroup) {
            final ViewGroup group = (ViewGroup) view;
            for (int i = 0; i < group.getChildCount(); ++i) found.addAll(texts(group.getChildAt(i)));
        }
        return found;
    }

    private static double contrast(int one, int other) {
        final double a = Color.luminance(one) + 0.05;
        final double b = Color.luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static Bitmap draw(View view) {
        final Bitmap bitmap = Bitmap.createBitmap(view.getWidth(), view.getHeight(),
                Bitmap.Config.ARGB_8888);
        view.draw(new Canvas(bitmap));
        return bitmap;
    }

    /** With -Dscreens=DIR the pictures are kept there. */
    private static void keep(Bitmap bitmap, String name) throws IOException {
        final String folder = System.getProperty("screens");
        if (folder == null) return;
        try (FileOutputStream out = new FileOutputStream(new File(folder, name + ".png"))) {
            bitmap.compress(Bitmap.CompressFormat.PNG, 100, out);
        }
    }

    private static void show(ActivityController<StorageActivity> page, String properties) {
        page.pause();
        PageTest.report(properties);
        page.resume();
        ShadowLooper.idleMainLooper();
    }

    private static View content(StorageActivity page) {
        return page.findViewById(android.R.id.content);
    }

    @Before
    public void installAnAppOverItsBudget() {
        PageTest.install(10123, "org.example.camera", "Camera");
    }

    @Test
    public void textStandsOutInLightAndDark() throws IOException {
        for (String mode : List.of("notnight", "night")) {
            RuntimeEnvironment.setQualifiers("+en-rUS-" + mode);
            final ActivityController<StorageActivity> controller = PageTest.open("state=");
            final StorageActivity page = controller.get();
            for (String[] screen : SCREENS) {
                show(controller, screen[1]);
                final Bitmap picture = draw(page.getWindow().getDecorView());
                keep(picture, screen[0] + "-" + mode);
                final int ground = picture.getPixel(2, picture.getHeight() - 2);
                assertEquals(mode.equals("night"), Color.luminance(ground) < 0.5);
                for (TextView text : texts(content(page))) {
                    final double contrast = contrast(text.getCurrentTextColor() | 0xff000000,
                            ground);
                    // WCAG 2.1, 1.4.3, level AA.
                    assertTrue(screen[0] + " " + mode + " " + text.getText() + ": " + contrast,
                            contrast >= 4.5);
                }
            }
        }
    }

    @Test
    public void nothingIsCutInAnyLanguageAndSize() {
        for (String language : List.of("en-rUS-ldltr", "ja-rJP-ldltr", "ar-rEG-ldrtl")) {
            for (float scale : new float[] {0.85f, 2.0f}) {
                RuntimeEnvironment.setQualifiers("+" + language);
                RuntimeEnvironment.setFontScale(scale);
                final ActivityController<StorageActivity> controller = PageTest.open("state=");
                final StorageActivity page = controller.get();
                for (String[] screen : SCREENS) {
                    show(controller, screen[1]);
                    for (TextView text : texts(content(page))) {
                        final String where = language + " " + scale + " " + text.getText();
                        final Layout layout = text.getLayout();
                        assertTrue(where, text.getWidth() > 0
                                && text.getWidth() <= content(page).getWidth());
                        assertTrue(where, layout.getHeight() <= text.getHeight());
                        for (int line = 0; line < layout.getLineCount(); ++line) {
                            assertEquals(where, 0, layout.getEllipsisCount(line));
                            assertTrue(where, layout.getLineMax(line) <= text.getWidth());
                        }
                    }
                }
            }
        }
    }

    @Test
    public void arabicIsReadFromTheRight() throws IOException {
        RuntimeEnvironment.setQualifiers("+ar-rEG-ldrtl");
        final StorageActivity page = PageTest.open(SCREENS[0][1]).get();
        keep(draw(page.getWindow().getDecorView()), "good-arabic");
        for (TextView text : texts(content(page))) {
            assertEquals(View.LAYOUT_DIRECTION_RTL, text.getLayoutDirection());
            assertEquals(Layout.DIR_RIGHT_TO_LEFT, text.getLayout().getParagraphDirection(0));
        }
    }

    @Test
    public void talkBackReadsARowAtOnceAndNotTheBar() {
        final StorageActivity page = PageTest.open(SCREENS[0][1]).get();
        assertTrue(page.findViewById(R.id.state).isAccessibilityHeading());
        for (int id : new int[] {R.id.life, R.id.expected, R.id.written, R.id.maintenance}) {
            assertTrue(page.findViewById(id).isScreenReaderFocusable());
        }
        assertFalse(page.findViewById(R.id.bar).isImportantForAccessibility());
        assertEquals("Storage health", page.getTitle());
    }
}
