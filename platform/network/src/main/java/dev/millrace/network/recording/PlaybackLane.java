package dev.millrace.network.recording;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.lane.ColumnMapping;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lane of a playback into the stages below: a source without a thread. Confined to the thread of the playback once
 * the network runs.
 */
final class PlaybackLane implements EventBatchSource
{
    private final ChannelStage channel;
    private final Map<Integer, View> views = new HashMap<>();
    private EventBatchSender sender;

    /** A batch of the decoder, in the schema of the sender. */
    private record View(EventBatch source, EventBatch rows)
    {
    }

    /** @param channel receives the rows first */
    PlaybackLane(final ChannelStage channel)
    {
        this.channel = channel;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    /** Type of the rows. */
    EventType type()
    {
        return channel.eventType();
    }

    /** Whether the channel takes the rows of a group. */
    boolean takes(final GroupName group)
    {
        return group.types().contains(type().name()) && (group.query() == null || channel.selector().isEmpty() ||
            channel.selector().contains(group.query()));
    }

    /**
     * Compares the columns of a group with those of the event type. Results of a query may have other columns than the
     * type, as in a running network.
     *
     * @return the differences in words; {@code null} if the rows fit
     */
    String difference(final GroupDescription group, final boolean isOfQuery)
    {
        final StringBuilder text = new StringBuilder();
        int common = 0;
        for (final EventProperty column : group.columns())
        {
            final int index = type().indexOf(column.name());
            if (index < 0)
            {
                text.append(isOfQuery ? "" : " removed=" + form(column));
            }
            else
            {
                final EventProperty now = type().properties().get(index);
                common++;
                text.append(now.type() == column.type() ? "" :
                    " recorded=" + form(column) + " now=" + form(now));
            }
        }
        for (final EventProperty property : isOfQuery ? List.<EventProperty>of() : type().properties())
        {
            final boolean isKnown =
                group.columns().stream().anyMatch(column -> column.name().equalsIgnoreCase(property.name()));
            text.append(isKnown ? "" : " added=" + form(property));
        }
        return text.isEmpty() && common > 0 ? null : text.isEmpty() ? " nothing in common" : text.toString();
    }

    private static String form(final EventProperty property)
    {
        return property.name() + ':' + property.type().cqlName();
    }

    /**
     * Emits rows.
     *
     * @param number of their group
     * @param rows   as recorded, in the same batch for all rows of a group in a file
     * @param nowNs  the origin from which their latency is measured
     */
    void send(final int number, final EventBatch rows, final long nowNs)
    {
        // Numbers identify rows of their producers, which do not send these.
        rows.clearSequences();
        if (rows.hasOrigins())
        {
            final long[] origins = rows.useOrigins();
            Arrays.fill(origins, 0, rows.size(), nowNs);
        }
        View view = views.get(number);
        if (view == null || view.source() != rows)
        {
            view = new View(rows, EventBatch.view(rows, sender.schema(),
                ColumnMapping.between(rows.schema().type(), sender.schema().type())));
            views.put(number, view);
        }
        view.rows().refreshFrom(rows);
        sender.send(view.rows());
    }

    /** Releases the batches of a playback that has ended. */
    void clear()
    {
        views.clear();
    }
}
