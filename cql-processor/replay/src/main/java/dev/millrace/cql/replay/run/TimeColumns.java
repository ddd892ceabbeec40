package dev.millrace.cql.replay.run;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.embedded.application.RowFeed;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.StageDefinition;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the columns with the times of rows. Confined to one thread. */
final class TimeColumns
{
    private final List<String> options;
    private final NetworkDefinition definition;
    private final Set<String> unused;

    /** @param options {@code COLUMN}, for all inputs that have it, or {@code STAGE.COLUMN} */
    TimeColumns(final List<String> options, final NetworkDefinition definition)
    {
        this.options = options;
        this.definition = definition;
        unused = new TreeSet<>(options);
    }

    /** The time column of an input: that of its channel, or that of an option; {@code null} for none. */
    RowTime of(final String stage, final RowFeed feed)
    {
        final EventType type = feed.schema().type();
        final String property = property(feed);
        if (property != null)
        {
            return RowTime.of(type, property, true);
        }
        for (final String option : options)
        {
            final int dot = option.lastIndexOf('.');
            final RowTime found = dot < 0 || option.substring(0, dot).equals(stage) ?
                RowTime.of(type, option.substring(dot + 1), false) : null;
            if (found != null)
            {
                unused.remove(option);
                return found;
            }
        }
        return null;
    }

    /** The property with the application time of the channels below a feed; {@code null} for none. */
    String property(final RowFeed feed)
    {
        final Set<String> below = definition.stages().stream().filter(stage -> stage.id().equals(feed.stage()))
            .flatMap(stage -> stage instanceof ChannelStage ? Stream.of(stage.id()) : stage.listeners().stream())
            .collect(Collectors.toSet());
        return definition.stages().stream().filter(stage -> below.contains(stage.id()))
            .map(TimeColumns::timestampProperty).filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static String timestampProperty(final StageDefinition stage)
    {
        return stage instanceof ChannelStage channel ? channel.time().timestampProperty() : null;
    }

    /**
     * Checks that each option has named a column, and that either all inputs or none have times.
     *
     * @param inputs for which {@link #of} was called
     */
    void check(final List<FileInput> inputs) throws DeploymentException
    {
        final String columns = inputs.stream().map(input -> input.feed().stage() + ' ' +
            input.feed().schema().type().properties().stream().map(EventProperty::name).toList())
            .collect(Collectors.joining(", "));
        if (!unused.isEmpty())
        {
            throw WrongName.of("no input without application time has this column, or it contains no times, column=" +
                unused.iterator().next(), "a time is a number of milliseconds or a timestamp; columns are " + columns);
        }
        final List<String> untimed = inputs.stream().filter(input -> input.time() == null)
            .map(input -> input.feed().stage()).toList();
        if (!untimed.isEmpty() && untimed.size() < inputs.size())
        {
            throw WrongName.of("some inputs have times and others do not, without=" + untimed,
                "name their columns with --time; columns are " + columns);
        }
    }
}
