package dev.millrace.server.recording;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.spi.DatasetSummary;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.EventStoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes and deletes the datasets of the server. Thread-safe. */
final class Datasets
{
    /** There is no dataset of that name: look at the list. */
    static final String NO_DATASET = "SRV-0510";

    private final EventStore store;

    Datasets(final EventStore store)
    {
        this.store = store;
    }

    List<Map<String, Object>> describe() throws DeploymentException
    {
        final List<Map<String, Object>> all = new ArrayList<>();
        try
        {
            for (final String dataset : store.datasets())
            {
                all.add(map(dataset, store.summary(dataset)));
            }
        }
        catch (final EventStoreException e)
        {
            throw failed(e);
        }
        return all;
    }

    private static Map<String, Object> map(final String dataset, final DatasetSummary summary)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("dataset", dataset);
        map.put("types", List.copyOf(summary.types()));
        map.put("rows", summary.rows() < 0 ? null : summary.rows());
        map.put("files", summary.files());
        map.put("bytes", summary.bytes() < 0 ? null : summary.bytes());
        map.put("first", time(summary.firstNs()));
        map.put("last", time(summary.lastNs()));
        map.put("tables", List.copyOf(summary.tables()));
        map.put("recordedBy", summary.recordedBy());
        map.put("problem", summary.problem());
        return map;
    }

    private static String time(final long timeNs)
    {
        return timeNs == Long.MIN_VALUE ? null : TimeRange.text(timeNs);
    }

    void delete(final String dataset) throws DeploymentException
    {
        try
        {
            if (!store.datasets().contains(dataset))
            {
                throw new DeploymentException(NO_DATASET, SourcePosition.NONE,
                    "no such dataset, dataset=" + dataset,
                    "datasets of the event store: " + String.join(", ", store.datasets()));
            }
            store.delete(dataset);
        }
        catch (final EventStoreException e)
        {
            throw failed(e);
        }
    }

    private static DeploymentException failed(final EventStoreException e)
    {
        // Most messages end with what to do.
        final String text = e.text();
        final int end = text.lastIndexOf("; ");
        return new DeploymentException(e.code(), SourcePosition.NONE, end < 0 ? text : text.substring(0, end),
            end < 0 ? "see the server's log" : text.substring(end + 2));
    }
}
