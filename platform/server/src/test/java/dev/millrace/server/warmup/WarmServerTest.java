package dev.millrace.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

/** The warm-up in a whole server, with the real bundles. */
@Tag("slow")
@Timeout(120)
class WarmServerTest
{
    private static final int REPETITIONS = 60;
    /** Each repetition compiles nine statements; a leak of one class per repetition would be detected. */
    private static final int FEW = 200;

    @TempDir
    private Path directory;

    private static JsonObject warmUp(final TestInstance instance)
    {
        try
        {
            return instance.request("GET", "/wlevs/server", new byte[0]).body().getAsJsonObject()
                .getAsJsonObject("warmUp");
        }
        catch (final java.io.IOException | InterruptedException e)
        {
            throw new IllegalStateException("endpoint does not answer", e);
        }
    }

    private static String state(final TestInstance instance)
    {
        return warmUp(instance).get("state").getAsString();
    }

    @Test
    void shouldMakeAllTrialsAndLeaveNoApplicationWhenTheServerHasStarted() throws Exception
    {
        try (TestInstance instance = TestInstance.startWithRules(TestInstance.newDomain(directory, true)))
        {
            instance.await("warm-up ends", () -> !List.of("PENDING", "RUNNING").contains(state(instance)));

            assertThat(state(instance)).isEqualTo("DONE");
            assertThat(warmUp(instance).get("trials").getAsInt()).isEqualTo(3);
            assertThat(instance.request("GET", "/wlevs/apps", new byte[0]).text()).isEqualTo("[]");
            assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .noneMatch(name -> name.contains("warm-up"));
        }
    }

    @Test
    void shouldServeADeploymentThatComesBeforeTheWarmUpIsDone() throws Exception
    {
        try (TestInstance instance = TestInstance.startWithRules(TestInstance.newDomain(directory, true)))
        {
            final TestInstance.Answer answer = instance.deploy(RuleApp.bundle());
            final String atThatTime = state(instance);
            assertThat(answer.status()).as(answer.text() + " warm-up " + atThatTime).isEqualTo(201);
            assertThat(instance.state(RuleApp.NAME)).isEqualTo("RUNNING");
            instance.await("warm-up ends", () -> state(instance).equals("DONE"));
        }
    }

    @Test
    void shouldNotWarmUpWhenSwitchedOffOrWhenNobodyOffersProcessors() throws Exception
    {
        final Path domain = TestInstance.newDomain(directory.resolve("off"));
        try (TestInstance instance = TestInstance.startWithRules(domain))
        {
            instance.await("warm-up was asked for", () -> !state(instance).equals("PENDING"));
            assertThat(state(instance)).isEqualTo("OFF");
        }
        try (TestInstance instance =
            TestInstance.start(TestInstance.newDomain(directory.resolve("none"), true), TestInstance.FELIX))
        {
            instance.await("warm-up was asked for", () -> !state(instance).equals("PENDING"));
            assertThat(state(instance)).isEqualTo("OFF");
        }
    }

    @Test
    void shouldStopCleanlyWhenTheServerStopsDuringTheWarmUp() throws Exception
    {
        try (TestInstance instance = TestInstance.startWithRules(TestInstance.newDomain(directory, true)))
        {
            // The server reported a moment ago that it runs; the trials take longer than that.
            instance.framework().stop();
            instance.framework().waitForStop(20_000);
            assertThat(instance.framework().getState()).isEqualTo(Bundle.RESOLVED);
            // A stop waits a limited time for the running trial; on a busy machine the trial may take longer.
            for (final Thread thread : Thread.getAllStackTraces().keySet())
            {
                if (thread.getName().contains("warm-up"))
                {
                    thread.join(60_000);
                    assertThat(thread.isAlive()).isFalse();
                }
            }
            assertThat(directory.resolve("var/management.url")).doesNotExist();
        }
    }

    @Test
    void shouldLeaveNoClassBehindWhenTrialsAreRepeated() throws Exception
    {
        try (TestInstance instance = TestInstance.startWithRules(TestInstance.newDomain(directory, true)))
        {
            instance.await("warm-up ends", () -> state(instance).equals("DONE"));
            final Bundle server = bundle(instance, "dev.millrace.server");
            repeat(server, 5);
            final int classesBefore = classes();
            final long heapBefore = heapBytes();
            repeat(server, REPETITIONS);
            final int grown = classes() - classesBefore;
            final long heapGrown = heapBytes() - heapBefore;
            System.out.println("classes that stay=" + grown + " heapGrownBytes=" + heapGrown);
            assertThat(grown).isLessThan(FEW);
            assertThat(heapGrown).isLessThan(8L << 20);
        }
    }

    private static Bundle bundle(final TestInstance instance, final String name)
    {
        return List.of(instance.framework().getBundleContext().getBundles()).stream()
            .filter(each -> name.equals(each.getSymbolicName())).findFirst().orElseThrow();
    }

    /** The class is that of the bundle, not that of the test's class path. */
    private static void repeat(final Bundle server, final int times) throws Exception
    {
        final Class<?> type = server.loadClass("dev.millrace.server.warmup.WarmUpTasks");
        for (int i = 0; i < times; i++)
        {
            final List<?> trials = (List<?>)type.getMethod("of", org.osgi.framework.BundleContext.class)
                .invoke(null, server.getBundleContext());
            assertThat(trials).hasSize(3);
            // The last trial is the calibration, which takes longer than the others.
            for (final Object trial : i % 10 == 0 ? trials : trials.subList(0, 2))
            {
                server.loadClass("dev.millrace.server.warmup.WarmUp$Trial").getMethod("run").invoke(trial);
            }
        }
    }

    private static int classes()
    {
        for (int i = 0; i < 3; i++)
        {
            System.gc();
        }
        return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
    }

    private static long heapBytes()
    {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
