package dev.millrace.server.config;

import dev.millrace.api.memory.MemoryBudget;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the memory limit of the state of all applications. Not thread-safe. */
final class MemoryReader
{
    private static final long MIB = 1L << 20;
    private static final long LEAST_BYTES = MIB;
    /** Above this share, the garbage collector does not have enough free memory. */
    private static final int MOST_PERCENT = 80;
    private static final int PERCENT = 100;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmgKMG%])");

    private final long heapBytes;
    private final ConfigurationProblems problems;

    /**
     * @param heapBytes maximum heap of the process
     * @param problems  receives errors
     */
    MemoryReader(final long heapBytes, final ConfigurationProblems problems)
    {
        this.heapBytes = heapBytes;
        this.problems = problems;
    }

    /** Returns the limit in bytes. */
    long read(final XmlElement element)
    {
        long bytes = MemoryBudget.defaultBytes(heapBytes);
        for (final XmlElement child : element.children())
        {
            if (child.name().equals("limit"))
            {
                bytes = limit(child, bytes);
            }
            else
            {
                problems.addUnknown(child);
            }
        }
        return bytes;
    }

    private long limit(final XmlElement element, final long otherwise)
    {
        final Matcher size = SIZE.matcher(element.text());
        if (size.matches())
        {
            final long bytes = bytes(Long.parseLong(size.group(1)), size.group(2));
            if (bytes >= LEAST_BYTES && bytes <= heapBytes * MOST_PERCENT / PERCENT)
            {
                return bytes;
            }
        }
        problems.add("SRV-0152", element, "invalid memory limit, limit=" + element.text() + " heap=" +
            heapBytes / MIB + "m", "specify a size such as 200m or a share of the heap such as 50%, from 1m to " +
            MOST_PERCENT + "% of the heap, which -Xmx in jvm.options sets; or omit it for " +
            MemoryBudget.defaultBytes(heapBytes) / MIB + "m");
        return otherwise;
    }

    private long bytes(final long number, final String unit)
    {
        return switch (unit)
        {
            case "%" -> number > PERCENT ? Long.MAX_VALUE : heapBytes * number / PERCENT;
            case "k", "K" -> number << 10;
            case "m", "M" -> number << 20;
            default -> number << 30;
        };
    }
}
