package dev.millrace.test;

import dev.millrace.network.Network;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The rows that the stages of a network have rejected, compared with those that the test expects. Not thread-safe. */
final class RejectedRows
{
    private final Map<String, Long> expected = new LinkedHashMap<>();

    /** Announces rows, if a stage has rejected just these since the last call; returns whether it has. */
    boolean expect(final Network network, final String stage, final long rows)
    {
        final long all = expected.getOrDefault(stage, 0L) + rows;
        final boolean isSo = of(network, stage) == all;
        if (isSo)
        {
            expected.put(stage, all);
        }
        return isSo;
    }

    /** Rows that a stage has rejected so far. */
    static long of(final Network network, final String stage)
    {
        return stages(network).stream().filter(each -> each.get("id").equals(stage))
            .mapToLong(each -> ((Number)each.get("rowsRejected")).longValue()).sum();
    }

    /** Describes stages that have rejected more or fewer rows than expected; empty if all are as expected. */
    String differences(final Network network)
    {
        return stages(network).stream()
            .filter(each -> ((Number)each.get("rowsRejected")).longValue() !=
                expected.getOrDefault(String.valueOf(each.get("id")), 0L))
            .map(each -> each.get("id") + " rejected " + each.get("rowsRejected") + " rows, expected " +
                expected.getOrDefault(String.valueOf(each.get("id")), 0L) + ", reasons=" + each.get("rejectedBy"))
            .collect(Collectors.joining("\n"));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> stages(final Network network)
    {
        return (List<Map<String, Object>>)network.statistics().get("stages");
    }
}
