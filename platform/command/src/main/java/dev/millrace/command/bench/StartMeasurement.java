package dev.millrace.command.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One boot of a new instance and its first deployment, measured from outside. Not thread-safe; used once. */
final class StartMeasurement
{
    private static final long START_TIMEOUT_MS = 60_000;
    private static final long WARM_UP_TIMEOUT_MS = 60_000;
    private static final long POLL_MS = 5;
    private static final double US_PER_MS = 1_000;
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private final InstanceProcess process;
    private final Map<String, Double> figures = new LinkedHashMap<>();

    /** Time of the deployment. */
    enum When
    {
        /** After the warm-up. */
        WARM,
        /** As soon as the instance runs. */
        AT_ONCE,
        /** As soon as the instance runs, with its warm-up disabled. */
        COLD
    }

    private StartMeasurement(final InstanceProcess process)
    {
        this.process = process;
    }

    /** Boots, deploys and stops; returns figures by name, times in milliseconds, memory in MiB. */
    static Map<String, Double> run(final StartSettings settings, final When when, final CleanupStack cleanup)
        throws IOException, InterruptedException
    {
        final Domain domain = cleanup.open(() -> domain(settings, when, cleanup));
        final long startNs = System.nanoTime();
        final StartMeasurement boot = new StartMeasurement(
            cleanup.open(() -> cleanup.add(InstanceProcess.start(domain, settings.jdk(), List.of()))));
        final ManagementClient client = boot.process.awaitRunning(START_TIMEOUT_MS);
        boot.figures.put("readyMs", msSince(startNs));
        boot.figures.put("readyCpuMs", boot.cpu().toNanos() / 1e6);
        boot.awaitWarmUp(client, when);
        boot.deploy(client, settings.application());
        return boot.figures;
    }

    private static Domain domain(final StartSettings settings, final When when,
        final CleanupStack cleanup) throws IOException
    {
        final Path directory = cleanup.directory(false);
        final Domain domain = DomainTemplate.create(settings.home(), directory.resolve("start"), Ports.free(), 0);
        settings.jvmOptions().addTo(domain.directory());
        if (when == When.COLD)
        {
            final Path config = domain.directory().resolve("config/config.xml");
            Files.writeString(config, Files.readString(config)
                .replace("</n1:config>", "  <cql>\n    <warm-up>false</warm-up>\n  </cql>\n</n1:config>"));
        }
        return domain;
    }

    private static double msSince(final long startNs)
    {
        return (System.nanoTime() - startNs) / 1e6;
    }

    private void awaitWarmUp(final ManagementClient client, final When when) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        JsonObject warmUp = client.server().getAsJsonObject("warmUp");
        while (when == When.WARM && List.of("PENDING", "RUNNING").contains(warmUp.get("state").getAsString()))
        {
            if (msSince(startNs) > WARM_UP_TIMEOUT_MS)
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0147", "the warm-up does not end, limitMs=" +
                    WARM_UP_TIMEOUT_MS, "the end of the instance's output:\n" + process.tail());
            }
            Thread.sleep(POLL_MS);
            warmUp = client.server().getAsJsonObject("warmUp");
        }
        if (when == When.WARM)
        {
            figures.put("warmUpMs", warmUp.get("millis").getAsDouble());
        }
    }

    private void deploy(final ManagementClient client, final Path application) throws IOException, InterruptedException
    {
        figures.put("residentBeforeMiB", residentMiB());
        final Duration before = cpu();
        figures.put("cpuBeforeMs", before.toNanos() / 1e6);
        final long startNs = System.nanoTime();
        final JsonObject answer = client.install(application);
        figures.put("deployMs", msSince(startNs));
        figures.put("deployCpuMs", cpu().minus(before).toNanos() / 1e6);
        figures.put("residentAfterMiB", residentMiB());
        if (!"RUNNING".equals(answer.get("state").getAsString()))
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0148", "the application does not run, answer=" + answer,
                "the end of the instance's output:\n" + process.tail());
        }
        parts(client.statistics(answer.get("name").getAsString()));
    }

    /** Records the parts of the start that the instance reports. */
    private void parts(final JsonObject statistics)
    {
        final JsonObject start = statistics.getAsJsonObject("startMicros");
        figures.put("filesMs", start.get("files").getAsDouble() / US_PER_MS);
        figures.put("beansMs", start.get("beans").getAsDouble() / US_PER_MS);
        double planned = 0;
        double compiled = 0;
        for (final JsonElement stage : statistics.getAsJsonArray("stages"))
        {
            if (stage.getAsJsonObject().has("plannedInMicros"))
            {
                planned += stage.getAsJsonObject().get("plannedInMicros").getAsDouble();
                compiled += stage.getAsJsonObject().get("startedInMicros").getAsDouble();
            }
        }
        figures.put("planMs", planned / US_PER_MS);
        figures.put("compileMs", compiled / US_PER_MS);
    }

    private Duration cpu()
    {
        return process.process().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Returns the resident memory, or 0 where the operating system does not provide it in a file. */
    private double residentMiB() throws IOException
    {
        final Path status = Path.of("/proc/" + process.process().pid() + "/status");
        final Matcher matcher = RESIDENT.matcher(Files.isReadable(status) ? Files.readString(status) : "");
        return matcher.find() ? Long.parseLong(matcher.group(1)) / 1024.0 : 0;
    }
}
