package dev.millrace.command.demo;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.Processes;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.instance.ProcessorSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The load generator as a separate process, run with its script and a property file. It has its own session, like
 * instances, because Linux distributes processor time by session: ten generators in one session would get as much as
 * one instance.
 */
public final class GeneratorProcess implements AutoCloseable
{
    private static final long STOP_SECONDS = 5;

    private final Process process;
    private final Path console;
    private final Path summaryFile;

    /**
     * Summary of the generator.
     *
     * @param rowsSent      rows sent by each connection
     * @param offeredPerSec due events per second
     * @param elapsedSecs   from the first due time to the last write
     * @param text          the whole summary
     */
    public record Summary(List<Long> rowsSent, double offeredPerSec, double elapsedSecs, JsonObject text)
    {
        /** Returns the rows of all connections. */
        public long total()
        {
            return rowsSent.stream().mapToLong(Long::longValue).sum();
        }
    }

    private GeneratorProcess(final Process process, final Path console, final Path summaryFile)
    {
        this.process = process;
        this.console = console;
        this.summaryFile = summaryFile;
    }

    /**
     * Starts to feed an instance.
     *
     * @param directory directory for its files
     * @param ports     ports of the instance
     * @param feed      the load
     * @param jdk       Java of the generator, or {@code null}
     * @param sets      the first set is used
     * @throws IOException when it cannot be started
     */
    public static GeneratorProcess start(
        final Home home, final Path directory, final Ports ports, final LoadProfile feed, final Path jdk,
        final ProcessorSets sets) throws IOException
    {
        final Path summary = directory.resolve("summary.json");
        final Path properties = directory.resolve("feed.prop");
        Files.deleteIfExists(summary);
        Files.writeString(properties, feed
            .properties(home.ticks(), ports.loadgen(), ports.timesync(), summary)
            .entrySet().stream().map(entry -> entry.getKey() + '=' + entry.getValue())
            .collect(Collectors.joining("\n", "", "\n")));
        return start(home, directory, summary, List.of(properties.toString()), jdk, sets);
    }

    /**
     * Starts to play property files.
     *
     * @param directory directory for its files
     * @param files     property files
     * @param jdk       Java of the generator, or {@code null}
     * @throws IOException when it cannot be started
     */
    static GeneratorProcess play(final Home home, final Path directory, final List<Path> files, final Path jdk)
        throws IOException
    {
        final Path summary = directory.resolve("summary.json");
        final List<String> arguments = new ArrayList<>(List.of("--quiet", "--summary", summary.toString()));
        files.forEach(file -> arguments.add(file.toString()));
        return start(home, directory, summary, arguments, jdk, ProcessorSets.NONE);
    }

    private static GeneratorProcess start(final Home home, final Path directory, final Path summary,
        final List<String> arguments, final Path jdk, final ProcessorSets sets) throws IOException
    {
        final Path console = directory.resolve("generator.log");
        final List<String> command = new ArrayList<>(InstanceProcess.ownSession());
        command.add(home.loadGenerator().toString());
        command.addAll(arguments);
        final ProcessBuilder builder = new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(console.toFile());
        builder.environment().put("JAVA_HOME", InstanceProcess.javaHome(jdk));
        sets.sets().stream().findFirst().ifPresent(set -> builder.environment().put("LOADGEN_PROCESSOR_SET", set));
        return new GeneratorProcess(builder.start(), console, summary);
    }

    /** Returns the process id. */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Waits up to a time limit.
     *
     * @return whether it has ended
     */
    public boolean await(final long timeoutMs) throws InterruptedException
    {
        return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Returns the exit code; call it only after the end: 3 when it could not connect, 4 when a connection was lost. */
    public int exitCode()
    {
        return process.exitValue();
    }

    /**
     * Returns its output.
     *
     * @throws IOException when it cannot be read
     */
    public String output() throws IOException
    {
        return Files.readString(console);
    }

    /**
     * Returns its summary; call it only after its end.
     *
     * @throws IOException when there is no summary
     */
    public Summary summary() throws IOException
    {
        final JsonObject text = summaryText();
        return new Summary(rowsSent(text), text.get("offeredPerSec").getAsDouble(),
            text.get("elapsedSecs").getAsDouble(), text);
    }

    /**
     * Returns the rows that all played files have sent; call it only after the end.
     *
     * @throws IOException when there is no summary
     */
    long played() throws IOException
    {
        long rows = 0;
        for (final JsonElement run : summaryText().getAsJsonArray("runs"))
        {
            rows += rowsSent(run.getAsJsonObject()).stream().mapToLong(Long::longValue).sum();
        }
        return rows;
    }

    private JsonObject summaryText() throws IOException
    {
        if (process.exitValue() != 0 || !Files.isRegularFile(summaryFile))
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0143", "the load generator failed, exitCode=" + process.exitValue(),
                "its output:\n" + Files.readString(console));
        }
        return JsonParser.parseString(Files.readString(summaryFile)).getAsJsonObject();
    }

    private static List<Long> rowsSent(final JsonObject run)
    {
        final List<Long> rows = new ArrayList<>();
        run.getAsJsonArray("connections")
            .forEach(connection -> rows.add(connection.getAsJsonObject().get("rowsSent").getAsLong()));
        return List.copyOf(rows);
    }

    @Override
    public void close()
    {
        Processes.end(process, STOP_SECONDS);
    }
}
