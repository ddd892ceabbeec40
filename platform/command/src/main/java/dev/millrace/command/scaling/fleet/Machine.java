package dev.millrace.command.scaling.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Description of this machine, for the comparison of figures. */
public final class Machine
{
    private static final double KIB_PER_GIB = 1 << 20;

    private Machine()
    {
    }

    /** Returns one line: operating system, processors, and on Linux their model and the memory. */
    public static String describe()
    {
        final List<String> parts = new ArrayList<>(List.of(
            System.getProperty("os.name") + ' ' + System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors() + " processors"));
        told(Path.of("/proc/cpuinfo"), "model name\\s*: (.*)").map(String::strip).ifPresent(parts::add);
        told(Path.of("/proc/meminfo"), "MemTotal:\\s*(\\d+) kB")
            .map(kib -> Math.round(Long.parseLong(kib) / KIB_PER_GIB) + " GiB").ifPresent(parts::add);
        return String.join(", ", parts);
    }

    /** Returns the match of the first matching line; empty when the system does not provide it. */
    private static Optional<String> told(final Path file, final String line)
    {
        if (!Files.isReadable(file))
        {
            return Optional.empty();
        }
        final Pattern pattern = Pattern.compile(line);
        try (Stream<String> lines = Files.lines(file))
        {
            return lines.map(pattern::matcher).filter(Matcher::matches).map(match -> match.group(1)).findFirst();
        }
        catch (final IOException | UncheckedIOException e)
        {
            return Optional.empty();
        }
    }
}
