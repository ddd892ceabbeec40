package dev.millrace.distribution;

import dev.millrace.command.Main;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Home;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** The home directory created by the build, used like a user. */
final class Product
{
    static final Home HOME = new Home(Path.of(System.getProperty("millrace.home")));
    static final String APPLICATION = "dev.millrace.samples.signalgeneration";
    static final String ASSEMBLY = "META-INF/spring/signalgeneration.context.xml";
    static final String RULES = "META-INF/wlevs/signalgeneration.xml";
    static final String SYMBOLS = "dev/millrace/samples/signalgeneration/symbols.txt";

    /**
     * For studies whose figures are only checked for consistency: their load lasts a few seconds, too
     * short for optimized code to pay off.
     */
    static final String UNOPTIMIZED = "--jvm-options=-XX:TieredStopAtLevel=1";

    /** The same for commands without that option, in the environment of all processes that they start. */
    private static final Map<String, String> UNOPTIMIZED_PROCESSES =
        Map.of("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");

    private static final long COMMAND_SECONDS = 120;
    private static final long LEAST_PAUSE_MS = 30;
    private static final long MOST_PAUSE_MS = 100;
    /** Polling takes little processor time from the instances that a test waits for. */
    private static final long PAUSE_FACTOR = 4;

    /**
     * Result of a command.
     *
     * @param output both streams
     */
    record Result(int exitCode, String output)
    {
    }

    private Product()
    {
    }

    static Result millrace(final String... arguments) throws IOException, InterruptedException
    {
        return run(Map.of(), HOME.directory().resolve("bin/millrace"), arguments);
    }

    /** Shows the help of a command in this process; of a command of another library, only the script can. */
    static Result help(final String... arguments) throws IOException, InterruptedException
    {
        final StringWriter output = new StringWriter();
        final PrintWriter out = new PrintWriter(output);
        final int exitCode = Main.commandLine().setOut(out).setErr(out).execute(arguments);
        return exitCode == ExitCode.DONE ? new Result(exitCode, output.toString()) : millrace(arguments);
    }

    /** Returns an environment in which all processes run unoptimized and create temporary files below a directory. */
    static Map<String, String> unoptimized(final Path temporary)
    {
        final Map<String, String> environment = new HashMap<>(UNOPTIMIZED_PROCESSES);
        environment.put("MILLRACE_OPTS", "-Djava.io.tmpdir=" + temporary);
        return environment;
    }

    static Result run(final Map<String, String> environment, final Path script, final String... arguments)
        throws IOException, InterruptedException
    {
        return runIn(null, environment, script, arguments);
    }

    /** Runs a script in a directory; {@code null} for that of this process. */
    static Result runIn(
        final Path directory, final Map<String, String> environment, final Path script, final String... arguments)
        throws IOException, InterruptedException
    {
        final File output = File.createTempFile("output", ".txt");
        try
        {
            final Process process = start(directory, environment, output, script, arguments);
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly().waitFor();
                throw new AssertionError("no end within " + COMMAND_SECONDS + " s: " + script + " " +
                    List.of(arguments) + "\n" + Files.readString(output.toPath()));
            }
            return new Result(process.exitValue(), Files.readString(output.toPath()));
        }
        finally
        {
            Files.delete(output.toPath());
        }
    }

    static Process start(
        final Map<String, String> environment, final File output, final Path script, final String... arguments)
        throws IOException
    {
        return start(null, environment, output, script, arguments);
    }

    private static Process start(final Path directory, final Map<String, String> environment, final File output,
        final Path script, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output)
            .directory(directory == null ? null : directory.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Like {@link #start}, with interrupts enabled even if the shell of the build ignores them. */
    static Process startInterruptible(
        final Map<String, String> environment, final File output, final Path script, final String... arguments)
        throws IOException
    {
        final List<String> command = interruptible(script);
        final Path program = Path.of(command.remove(0));
        command.addAll(List.of(arguments));
        return start(environment, output, program, command.toArray(String[]::new));
    }

    /** The beginning of a command that executes a script with interrupts enabled. */
    static List<String> interruptible(final Path script)
    {
        final List<String> command = new ArrayList<>();
        if (Files.exists(Path.of("/proc/self/status")))
        {
            command.addAll(List.of("/usr/bin/env", "--default-signal=INT"));
        }
        command.add(script.toString());
        return command;
    }

    /** Returns the lines of a file that match a pattern; none while the file does not exist. */
    static List<String> lines(final Path file, final String pattern)
    {
        return linesOf(List.of(file), pattern);
    }

    /** Returns the lines of all CSV files in a directory that match a pattern; none while it does not exist. */
    static List<String> linesOfAll(final Path directory, final String pattern)
    {
        if (!Files.exists(directory))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory))
        {
            return linesOf(files.filter(file -> file.toString().endsWith(".csv")).toList(), pattern);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> linesOf(final List<Path> files, final String pattern)
    {
        final Predicate<String> matches = Pattern.compile(pattern).asMatchPredicate();
        final List<String> found = new ArrayList<>();
        for (final Path file : files)
        {
            if (Files.exists(file))
            {
                try (Stream<String> lines = Files.lines(file))
                {
                    lines.filter(matches).forEach(found::add);
                }
                catch (final IOException e)
                {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return found;
    }

    /** Returns a copy of the sample with a changed file. */
    static Path changed(final Path target, final String entryName, final Function<String, String> change)
        throws IOException
    {
        return changed(target, Map.of(entryName, change));
    }

    /** Returns a copy of the sample with some changed files. */
    static Path changed(final Path target, final Map<String, Function<String, String>> changes) throws IOException
    {
        int changed = 0;
        try (ZipFile source = new ZipFile(HOME.signalGeneration().toFile());
            ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(target)))
        {
            for (final ZipEntry entry : java.util.Collections.list(source.entries()))
            {
                byte[] bytes = source.getInputStream(entry).readAllBytes();
                final Function<String, String> change = changes.get(entry.getName());
                if (change != null)
                {
                    final String before = new String(bytes, StandardCharsets.UTF_8);
                    final String after = change.apply(before);
                    bytes = after.getBytes(StandardCharsets.UTF_8);
                    changed += before.equals(after) ? 0 : 1;
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(bytes);
                out.closeEntry();
            }
        }
        if (changed != changes.size())
        {
            throw new AssertionError("nothing changed in one of " + changes.keySet());
        }
        return target;
    }

    /** Waits for a condition. */
    static void await(final String what, final long timeoutSeconds, final BooleanSupplier condition)
        throws InterruptedException
    {
        final Object pause = new Object();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() > deadlineNs)
            {
                throw new AssertionError("not within " + timeoutSeconds + " s: " + what);
            }
            final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            synchronized (pause)
            {
                pause.wait(Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, PAUSE_FACTOR * tookMs)));
            }
            startNs = System.nanoTime();
        }
    }

    /** Returns random numbers whose printed seed repeats them: {@code -Dseed=N}. */
    static Random random()
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        return new Random(seed);
    }

    /** Returns processes whose command line contains a string. */
    static List<String> processes(final String text)
    {
        return ProcessHandle.allProcesses().filter(ProcessHandle::isAlive)
            .map(process -> process.info().commandLine().orElse("")).filter(line -> line.contains(text)).toList();
    }
}
