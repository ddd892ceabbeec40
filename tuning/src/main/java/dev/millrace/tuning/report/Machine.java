package dev.millrace.tuning.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The machine on which figures were measured. */
public final class Machine
{
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine()
    {
    }

    /** Model of the processor if known, number of processors, system. */
    public static String name()
    {
        return String.format(Locale.ROOT, "%s, %d processors, %s", model(),
            Runtime.getRuntime().availableProcessors(), System.getProperty("os.name"));
    }

    private static String model()
    {
        try (Stream<String> lines = Files.lines(PROCESSORS, StandardCharsets.UTF_8))
        {
            return lines.filter(line -> line.startsWith("model name")).map(line -> line.replaceFirst("^[^:]*: *", ""))
                .findFirst().orElse(System.getProperty("os.arch"));
        }
        catch (final IOException elsewhere)
        {
            return System.getProperty("os.arch");
        }
    }
}
