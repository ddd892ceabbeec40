package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Start, stop and kill of an instance with its scripts. */
@Timeout(300)
class LifeCycleIT
{
    private static final int USAGE = 64;
    private static final int ALREADY_RUNNING = 3;
    private static final int NOT_FOUND = 2;

    @TempDir
    private Path directory;

    @Test
    void shouldBringDeploymentsBackWhenKilledAndStartedAgain() throws Exception
    {
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed")))
        {
            instance.client.install(Product.HOME.signalGeneration());
            instance.kill();
            instance.start();
            Product.await("application runs", 60, () -> isRunning(instance));
            assertThat(Files.readString(instance.domain.directory().resolve("deployments.xml"))).contains(APPLICATION);
        }
    }

    private static boolean isRunning(final RunningInstance instance)
    {
        try
        {
            return "RUNNING".equals(instance.state(APPLICATION));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void shouldStopByScriptAndRefuseASecondStart() throws Exception
    {
        try (RunningInstance instance = new RunningInstance(directory.resolve("scripts")))
        {
            final Path start = instance.domain.directory().resolve("startwlevs.sh");
            final Path stop = instance.domain.directory().resolve("stopwlevs.sh");
            final Result second = Product.run(Map.of(), start);
            assertThat(second.exitCode()).as(second.output()).isEqualTo(ALREADY_RUNNING);
            assertThat(second.output()).contains("SRV-0002").contains("hint: ");
            final Result stopped = Product.run(Map.of(), stop);
            assertThat(stopped.exitCode()).as(stopped.output()).isZero();
            assertThat(instance.process.process().isAlive()).isFalse();
            assertThat(instance.process.process().exitValue()).isZero();
            assertThat(Product.run(Map.of(), stop).exitCode()).isEqualTo(NOT_FOUND);
            assertThat(instance.domain.directory().resolve("logs/server.log")).isNotEmptyFile();
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenJavaOrHomeAreWrong() throws Exception
    {
        final Path start = Product.HOME.domains().resolve("defaultserver/startwlevs.sh");
        final Result noJava = Product.run(Map.of("JAVA_HOME", directory.toString()), start);
        assertThat(noJava.exitCode()).isEqualTo(USAGE);
        assertThat(noJava.output()).contains("CMD-0001").contains("hint: ");
        final Result noHome = Product.run(Map.of("WLEVS_HOME", directory.toString()), start);
        assertThat(noHome.exitCode()).isEqualTo(USAGE);
        assertThat(noHome.output()).contains("CMD-0002").contains("hint: ");
    }
}
