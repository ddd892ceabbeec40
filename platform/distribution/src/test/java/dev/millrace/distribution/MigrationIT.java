package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bundle that was compiled for Oracle Event Processing runs without its sources. */
@Timeout(300)
class MigrationIT
{
    @TempDir
    private static Path home;
    private static RunningInstance instance;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception
    {
        instance = new RunningInstance(home.resolve("domain"));
    }

    @AfterAll
    static void stop()
    {
        instance.close();
    }

    private void shouldProcess(final Path alerts) throws Exception
    {
        // D has no factor, and the event bean rejects C: 3 * 30 exceeds 50.
        Product.await("two alerts", 60, () -> Product.lines(alerts, ".*").size() == 2);
        assertThat(Product.lines(alerts, ".*")).containsExactly(OldApplication.NAME + " alertFile A 10.0",
            OldApplication.NAME + " alertFile B 40.0");
        assertThat(instance.app("statistics", OldApplication.NAME).output()).contains("too large: 90.0");
    }

    @Test
    void shouldRunAnOldBundleAsItIs() throws Exception
    {
        final Path alerts = directory.resolve("alerts.txt");
        final Path bundle = OldApplication.build(directory, alerts);
        final byte[] before = Files.readAllBytes(bundle);

        final Result installed = instance.app("install", "--oep", bundle);
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        shouldProcess(alerts);

        // The mapped bundle is the same as the one that runs, so the update changes nothing.
        final Result updated = instance.app("update", "--oep", bundle);
        assertThat(updated.exitCode()).as(updated.output()).isZero();
        assertThat(updated.output()).contains("keeps its state", "adapters, beans and their connections were kept");
        assertThat(Files.readAllBytes(bundle)).isEqualTo(before);
        assertThat(instance.app("uninstall", OldApplication.NAME).exitCode()).isZero();
    }

    @Test
    void shouldWriteABundleThatRunsWithoutTheOption() throws Exception
    {
        final Path alerts = directory.resolve("alerts.txt");
        final Path bundle = OldApplication.build(directory, alerts);
        final Path migrated = directory.resolve("new.jar");

        final Result result = Product.millrace("migrate", "--output", migrated.toString(), bundle.toString());
        assertThat(result.output()).contains(
            "mapped: com.bea.wlevs.ede.api.StreamSink -> dev.millrace.api.stage.StreamSink, files 2",
            "unused import removed from the manifest: com.bea.wlevs.ede.impl",
            OldApplication.NAME + " is valid: adapters and beans 3, channels 3, processors 1, rules 1",
            "nothing is left to do");
        assertThat(result.exitCode()).isZero();

        final Result installed = instance.app("install", migrated);
        assertThat(installed.exitCode()).as(installed.output()).isZero();
        shouldProcess(alerts);
        assertThat(instance.app("uninstall", OldApplication.NAME).exitCode()).isZero();
    }

    @Test
    void shouldDeployNothingWhenAClassHasNoCounterpart() throws Exception
    {
        final Path bundle = OldApplication.build(directory, directory.resolve("alerts.txt"), Map.of(
            "com.example.oep.Settings",
            "public class Settings { @com.bea.wlevs.configuration.Activate public void activate() {} }"));

        final Result result = instance.app("install", "--oep", bundle);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("prices.jar!com/example/oep/Settings.class: CMD-0280: the class has no"
            + " counterpart, class=com.bea.wlevs.configuration.Activate", "instance properties", "CMD-0287");
        assertThat(instance.app("list").output()).doesNotContain(OldApplication.NAME);
    }
}
