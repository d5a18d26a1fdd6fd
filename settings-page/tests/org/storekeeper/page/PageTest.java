// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Application;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.view.View;
import android.widget.ProgressBar;
import android.widget.TextView;

import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowSystemProperties;

import java.util.List;
import java.util.TimeZone;

/** What the page says for what the properties say, on Android's own framework. */
@RunWith(RobolectricTestRunner.class)
@Config(qualifiers = "en-rUS-w320dp-h640dp")
public final class PageTest {
    private static final TimeZone ZONE = TimeZone.getDefault();

    @After
    public void restoreZone() {
        TimeZone.setDefault(ZONE);
    }

    /** Sets properties "name=value ..." of storekeeper.status. */
    static void report(String properties) {
        for (String property : properties.split(" ")) {
            final String[] pair = property.split("=", 2);
            ShadowSystemProperties.override("storekeeper.status." + pair[0], pair[1]);
        }
    }

    static ActivityController<StorageActivity> open(String properties) {
        report(properties);
        return Robolectric.buildActivity(StorageActivity.class).setup();
    }

    private static Words words(String properties) {
        report(properties);
        return new Words(RuntimeEnvironment.getApplication(), Status.read());
    }

    private static String state(String properties) {
        report(properties);
        return RuntimeEnvironment.getApplication().getString(Status.read().state.name);
    }

    private static String text(StorageActivity page, int id) {
        final View view = page.findViewById(id);
        if (view.getVisibility() != View.VISIBLE) return null;
        final TextView value = view instanceof TextView ? (TextView) view
                : view.findViewById(R.id.value);
        return value.getText().toString();
    }

    private static final String GOOD = "state=idle level=good life_used_pct=40 "
            + "life_remaining_pct=70";

    @Test
    public void theWorstOfVerdictAndAlertsIsTheState() {
        final String[][] rows = {
                {"state=", "The storage service is not running"},
                {"state= level=good alerts=trim:urgent", "The storage service is not running"},
                {"state=idle level=", "Not measured yet"},
                {"state=idle level=unknown alerts=", "Wear not known"},
                {"state=idle level=good", "Good"},
                {"state=idle level=warning", "Needs attention"},
                {"state=idle level=urgent", "Act now"},
                {"state=idle level=good alerts=write_budget:warning", "Needs attention"},
                {"state=idle level=unknown alerts=write_rate:warning", "Needs attention"},
                {"state=idle level=warning alerts=trim:urgent,life_a:warning", "Act now"},
                {"state=trimming level=a_level_of_a_later_version alerts=", "Not measured yet"},
        };
        for (String[] row : rows) {
            assertEquals(row[0], row[1], state(row[0]));
        }
    }

    @Test
    public void aStoppedServiceHasNoFigures() {
        final StorageActivity page = open(GOOD + " state= alerts=trim:urgent last_run=1").get();
        for (int id : new int[] {R.id.warnings, R.id.life, R.id.expected, R.id.written,
                R.id.maintenance}) {
            assertNull(text(page, id));
        }
        assertEquals(View.GONE, page.findViewById(R.id.bar).getVisibility());
    }

    @Test
    public void lifeIsARangeInWordsAndAsABar() {
        final StorageActivity page = open(GOOD).get();
        assertEquals("60% to 70%", text(page, R.id.life));
        final ProgressBar bar = page.findViewById(R.id.bar);
        assertEquals(60, bar.getProgress());
        assertEquals(70, bar.getSecondaryProgress());
        assertEquals("0% to 10%", words("life_used_pct=100 life_remaining_pct=10").life());
        assertEquals("None: the rated life is used up",
                words("life_used_pct=100 life_remaining_pct=0").life());
        assertEquals("None: the rated life is used up",
                words("life_used_pct=100 life_remaining_pct=0").expected());
    }

    @Test
    public void whatTheChipDoesNotReportIsNotZero() {
        final StorageActivity page = open("state=idle level=unknown forecast_end=unknown").get();
        assertEquals("Not reported by this chip", text(page, R.id.life));
        assertEquals("Not reported by this chip", text(page, R.id.expected));
        assertEquals("Not counted on this device", text(page, R.id.written));
        assertEquals(View.GONE, page.findViewById(R.id.bar).getVisibility());
    }

    @Test
    public void theForecastHasTwoEndsOrOneOrNone() {
        final String[][] rows = {
                {"2031-02", "2033-08", "February 2031 to August 2033"},
                {"2031-02", "", "February 2031 at the earliest, even if twice as much is written"},
                {"unknown", "", "Not known yet: a forecast takes weeks of use"},
                {"", "", "Not known yet: a forecast takes weeks of use"},
        };
        for (String[] row : rows) {
            assertEquals(row[2], words(GOOD + " forecast_end=" + row[0] + " forecast_latest="
                    + row[1]).expected());
        }
    }

    /** A month must not move into the next: by February 31, by a time zone, by a month 13. */
    @Test
    public void aMonthStaysThatMonth() {
        final String[] names = {"January", "February", "March", "April", "May", "June", "July",
                "August", "September", "October", "November", "December"};
        for (String zone : List.of("Pacific/Kiritimati", "Pacific/Honolulu", "UTC")) {
            TimeZone.setDefault(TimeZone.getTimeZone(zone));
            for (int month = 1; month <= 12; ++month) {
                final String end = String.format("2031-%02d", month);
                assertEquals(names[month - 1] + " 2031 to " + names[month - 1] + " 2031",
                        words(GOOD + " forecast_end=" + end + " forecast_latest=" + end)
                                .expected());
            }
        }
        for (String wrong : List.of("2031-00", "2031-13", "2031-02-31", "2031-2", "-", "2031")) {
            assertEquals("Not known yet: a forecast takes weeks of use",
                    words(GOOD + " forecast_end=" + wrong).expected());
        }
    }

    @Test
    public void aDayIsThatOfTheDevice() {
        // 2026-11-28 23:30 UTC.
        final String[][] rows = {{"Asia/Tokyo", "November 29, 2026"},
                {"America/New_York", "November 28, 2026"}};
        for (String[] row : rows) {
            TimeZone.setDefault(TimeZone.getTimeZone(row[0]));
            android.icu.util.TimeZone.setDefault(null);
            assertEquals(row[1], words(GOOD + " last_run=1795908600").maintenance());
        }
    }

    @Test
    public void numbersAndMonthsAreOfTheLanguage() {
        final String[][] rows = {
                {"ja-rJP", "2031年2月", "60%", "14.2"},
                {"th-rTH", "กุมภาพันธ์", "60%", "14.2"},
                {"ar-rEG", "فبراير ٢٠٣١", "٦٠٪", "١٤٫٢"},
                {"de-rDE", "Februar 2031", "60\u00a0%", "14,2"},
        };
        for (String[] row : rows) {
            RuntimeEnvironment.setQualifiers("+" + row[0]);
            final Words words = words(GOOD + " forecast_end=2031-02 forecast_latest= "
                    + "written_bytes=14200000000000");
            assertTrue(words.written(), words.written().contains(row[3]));
            assertTrue(words.expected(), words.expected().contains(row[1]));
            assertTrue(words.life(), words.life().contains(row[2]));
        }
    }

    @Test
    public void bytesWrittenHaveAUnit() {
        assertEquals("1.2 TB", words(GOOD + " written_bytes=1200000000000").written());
        assertEquals("999.9 GB", words("written_bytes=999900000000").written());
        assertEquals("12 GB", words("written_bytes=12000000000").written());
        assertEquals("Not counted on this device", words("written_bytes=").written());
    }

    @Test
    public void maintenanceSaysWhenAndWhyNotSince() {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        android.icu.util.TimeZone.setDefault(null);
        final String[][] rows = {
                {"state=trimming", "In progress"},
                {"state=report_only", "Android maintains the storage itself."},
                {"state=idle last_run= last_outcome= waiting_for=", "None yet"},
                {"last_run=1795824000 last_outcome=trimmed", "November 28, 2026"},
                {"waiting_for=untouched,battery", "November 28, 2026\n"
                        + "It waits until the device has been left alone for a while.\n"
                        + "It waits for a fuller battery or a charger."},
                {"waiting_for=heat,zones", "November 28, 2026\n"
                        + "It waits until the device has cooled down."},
                {"waiting_for= last_outcome=aborted",
                        "November 28, 2026\nThe last attempt was interrupted."},
                {"last_outcome=io_error", "November 28, 2026\nThe last attempt failed."},
                {"last_outcome=no_discard",
                        "November 28, 2026\nThis storage does not support it."},
                {"waiting_for=a_gate_of_a_later_version last_outcome=", "November 28, 2026\n"
                        + "It waits for a condition that this page cannot describe."},
                {"waiting_for=chip last_outcome=chip_quirk", "November 28, 2026\n"
                        + "It would harm this storage chip."},
                {"trim_quarantine=1795910400 waiting_for=chip", "November 28, 2026\n"
                        + "Stopped on November 29, 2026"},
        };
        report(GOOD);
        for (String[] row : rows) {
            assertEquals(row[0], row[1], words(row[0]).maintenance());
        }
    }

    @Test
    public void warningsAreSentences() {
        final Words words = words(GOOD + " alerts=trim:urgent,life_a:warning,"
                + "life_b:warning,a_code_of_a_later_version:warning");
        assertEquals("Urgent: Maintenance damaged data on this chip and was stopped.\n"
                + "Most of the chip's rated life is used.\n"
                + "There is a problem that this page cannot describe.", words.warnings());
        assertEquals("", words("alerts=").warnings());
    }

    static void install(int uid, String name, String label) {
        final PackageInfo info = new PackageInfo();
        info.packageName = name;
        info.applicationInfo = new ApplicationInfo();
        info.applicationInfo.packageName = name;
        info.applicationInfo.uid = uid;
        info.applicationInfo.name = label;
        info.applicationInfo.nonLocalizedLabel = label;
        shadowOf(RuntimeEnvironment.getApplication().getPackageManager()).installPackage(info);
        shadowOf(RuntimeEnvironment.getApplication().getPackageManager())
                .setPackagesForUid(uid, name);
    }

    @Test
    public void appsOverTheirBudgetAreNamed() {
        install(10123, "org.example.camera", "Camera");
        install(10200, "org.example.mail", "Mail");
        report(GOOD + " alerts=write_budget:warning");
        final String[][] rows = {
                {"", "An app has written more than its daily limit."},
                {"10123", "More than the daily limit was written today by Camera."},
                {"10123,10200,1010087", "More than the daily limit was written today by Camera, "
                        + "Mail, and 1 app without a name."},
                {"1010087,1010088", "More than the daily limit was written today by 2 apps "
                        + "without a name."},
        };
        for (String[] row : rows) {
            assertEquals(row[1], words("over_budget=" + row[0]).warnings());
        }
    }

    @Test
    public void thePageIsReadAnewWhenItReturns() {
        final ActivityController<StorageActivity> page = open(GOOD);
        page.pause();
        report("level=urgent");
        page.resume();
        assertEquals("Act now", text(page.get(), R.id.state));
    }

    @Test
    public void upEndsThePage() {
        final StorageActivity page = open(GOOD).get();
        page.onNavigateUp();
        assertTrue(page.isFinishing());
    }

    /** SettingsLib's TileUtils of Android 11 to 16 asks like this. */
    @Test
    public void settingsFindsItForThePageOfStorage() {
        final Application app = RuntimeEnvironment.getApplication();
        final List<ResolveInfo> found = app.getPackageManager().queryIntentActivities(
                new Intent("com.android.settings.action.IA_SETTINGS"),
                PackageManager.GET_META_DATA);
        assertEquals(1, found.size());
        final ActivityInfo activity = found.get(0).activityInfo;
        assertTrue(activity.exported);
        assertNull(activity.permission);
        assertEquals("com.android.settings.category.ia.storage",
                activity.metaData.getString("com.android.settings.category"));
        assertEquals("primary_profile_only",
                activity.metaData.getString("com.android.settings.profile"));
        assertEquals("Wear, expected life and maintenance",
                app.getString(activity.metaData.getInt("com.android.settings.summary")));
        assertNotEquals(0, activity.metaData.getInt("com.android.settings.icon"));
        assertEquals("Storage health", activity.loadLabel(app.getPackageManager()));
    }

    @Test
    public void itStartsByItselfAndAsksForNothing() throws PackageManager.NameNotFoundException {
        final Application app = RuntimeEnvironment.getApplication();
        final Intent start = app.getPackageManager().getLaunchIntentForPackage(
                app.getPackageName());
        assertEquals(StorageActivity.class.getName(), start.getComponent().getClassName());
        assertFalse(start.hasCategory(Intent.CATEGORY_LAUNCHER));
        assertNull(app.getPackageManager().getPackageInfo(app.getPackageName(),
                PackageManager.GET_PERMISSIONS).requestedPermissions);
    }
}
