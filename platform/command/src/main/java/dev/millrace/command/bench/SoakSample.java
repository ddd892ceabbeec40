package dev.millrace.command.bench;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Resources of an instance at one time. Immutable.
 *
 * @param events        rows accepted so far
 * @param liveHeapBytes size of objects after a full garbage collection
 * @param handles       open files and sockets
 * @param threads       threads of the process
 * @param residentBytes resident memory
 */
public record SoakSample(long events, long liveHeapBytes, long handles, long threads, long residentBytes)
{
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
    private static final long KIB = 1024;

    /**
     * Runs a garbage collection in an instance and reads its resources. Linux only: reads /proc.
     *
     * @param process instance on this machine, of the same user
     * @param jdk     its JDK, or {@code null} for that of this process
     * @throws IOException          when the process has ended
     * @throws InterruptedException when interrupted
     */
    static SoakSample take(final InstanceProcess process, final Path jdk, final long events)
        throws IOException, InterruptedException
    {
        final long pid = process.process().pid();
        final long liveHeapBytes = liveHeapBytes(pid, jdk);
        final Path proc = Path.of("/proc", String.valueOf(pid));
        final String status = Files.readString(proc.resolve("status"));
        try (Stream<Path> handles = Files.list(proc.resolve("fd")))
        {
            return new SoakSample(events, liveHeapBytes, handles.count(), number(THREADS, status, "status"),
                number(RESIDENT, status, "status") * KIB);
        }
    }

    /** The class histogram counts only live objects, so that the JVM collects all garbage first. */
    private static long liveHeapBytes(final long pid, final Path jdk) throws IOException, InterruptedException
    {
        final Path jcmd = Path.of(InstanceProcess.javaHome(jdk), "bin", "jcmd");
        if (!Files.isExecutable(jcmd))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0197", "this Java has no jcmd, file=" + jcmd,
                "specify a JDK with --jdk");
        }
        final Process process = new ProcessBuilder(
            List.of(jcmd.toString(), String.valueOf(pid), "GC.class_histogram")).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return number(TOTAL, output, "jcmd");
    }

    static long number(final Pattern pattern, final String text, final String source)
    {
        final Matcher matcher = pattern.matcher(text);
        if (!matcher.find())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0198", "cannot read a figure of the instance, source=" +
                source + " output=" + text.lines().findFirst().orElse(""), "check whether the instance still runs");
        }
        return Long.parseLong(matcher.group(1));
    }
}
