package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.PairPlan.Tick;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider;
import dev.millrace.network.spi.RunningProcessor;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** The bundle resolves in a framework, where it plans and runs the white paper's statements. */
@Timeout(60)
class BundleTest
{
    /** Packages of the class path; with the current 1.x version. */
    private static final String SYSTEM_PACKAGES = Stream.of("api.event", "api.cache", "api.cartridge",
        "api.condition", "api.memory", "api.process", "api.stage", "api.lifecycle", "api.string", "api.time",
        "api.function", "api.window", "api.internal", "network.conversion", "network.definition", "network.durable",
        "network.edge", "network.partition", "network.spi")
        .map(name -> "dev.millrace." + name + ";version=1.99.0,").collect(Collectors.joining()) +
        "dev.millrace.journal,org.slf4j;version=2.0.20";

    private Framework framework;
    private Bundle bundle;

    @BeforeEach
    void installBundle(@TempDir final Path storage) throws Exception
    {
        final Map<String, String> settings = new HashMap<>();
        settings.put(Constants.FRAMEWORK_STORAGE, storage.resolve("cache").toString());
        settings.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
        settings.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, SYSTEM_PACKAGES);
        settings.put("felix.service.urlhandlers", "false");
        framework = ServiceLoader.load(FrameworkFactory.class).findFirst().orElseThrow().newFramework(settings);
        framework.start();
        // The output of bnd in that directory is the content of the bundle.
        final Path classes = Path.of(
            CqlProcessorProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        bundle = framework.getBundleContext().installBundle("reference:" + classes.toUri());
    }

    @AfterEach
    void stopFramework() throws Exception
    {
        framework.stop();
        framework.waitForStop(TimeUnit.SECONDS.toMillis(10));
    }

    private ProcessorProvider provider() throws Exception
    {
        final BundleContext context = framework.getBundleContext();
        final ServiceReference<ProcessorProvider> reference =
            context.getServiceReferences(ProcessorProvider.class, "(type=cql)").iterator().next();
        return context.getService(reference);
    }

    @Test
    void shouldPlanAndRunTheWhitePapersStatementsWhenStartedInAFramework() throws Exception
    {
        bundle.start();
        final Cache cache = PairPlan.cache(PairPlan.halfOf(20));
        final long startNs = System.nanoTime();
        final PlannedProcessor planned =
            provider().plan(SignalRules.stage(cache, SignalRules.QUERY), SignalRules.channels());
        final long plannedNs = System.nanoTime();
        provider().plan(SignalRules.stage(cache, SignalRules.QUERY), SignalRules.channels());
        final long againNs = System.nanoTime();
        final TestWiring wiring = new TestWiring(2, 1);
        final RunningProcessor running = planned.start(wiring);
        System.out.println("first plan ms=" + (plannedNs - startNs) / 1_000_000 +
            " second plan ms=" + (againNs - plannedNs) / 1_000_000 +
            " start ms=" + (System.nanoTime() - againNs) / 1_000_000);
        final List<Tick> ticks = PairPlan.ticks(new Random(1), 2_000, 20);
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        for (int from = 0; from < ticks.size(); from += 100)
        {
            PairPlan.fill(batch, ticks, from, 100);
            input.onBatch(batch);
        }

        assertThat(running.drain(TimeUnit.SECONDS.toNanos(60))).isTrue();
        assertThat(wiring.sequences(PairPlan.QUERY)).isEqualTo(
            PairPlan.expected(ticks, Set.of(PairPlan.halfOf(20))));
        running.stop();
    }

    @Test
    void shouldExportNothingWhenItIsInstalled()
    {
        assertThat(bundle.getHeaders().get(Constants.EXPORT_PACKAGE)).isNull();
        assertThat(bundle.getHeaders().get(Constants.IMPORT_PACKAGE))
            .doesNotContain("org.apache", "com.google", "com.fasterxml");
    }

    @Test
    void shouldTakeTheServiceBackWhenStopped() throws Exception
    {
        bundle.start();
        bundle.stop();

        assertThat(framework.getBundleContext().getServiceReferences(ProcessorProvider.class, null)).isEmpty();
    }
}
