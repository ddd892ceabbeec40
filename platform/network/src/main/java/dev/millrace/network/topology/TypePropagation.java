package dev.millrace.network.topology;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.QueryOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks row types from top to bottom: rows that reach a channel of another type are mapped by column name. Columns of
 * the same name must have the same type.
 */
public final class TypePropagation
{
    private static final Logger LOG = LoggerFactory.getLogger(TypePropagation.class);

    private final String application;
    private final Topology topology;
    private final Map<String, PlannedProcessor> plans;
    private final List<Problem> problems = new ArrayList<>();

    /** @param application name of the application, for the log */
    public TypePropagation(final String application, final Topology topology, final Map<String, PlannedProcessor> plans)
    {
        this.application = application;
        this.topology = topology;
        this.plans = plans;
    }

    /**
     * The type in which a source sends, which is the type of its first channel; {@code null} when no channel listens to
     * it.
     */
    public static EventType sentType(final BeanStage bean, final Topology topology)
    {
        return bean.listeners().isEmpty() ? null :
            ((ChannelStage)topology.stage(bean.listeners().get(0))).eventType();
    }

    /**
     * Checks all lanes into channels.
     *
     * @throws DeploymentException with all mismatches
     */
    public void check() throws DeploymentException
    {
        for (final StageDefinition stage : topology.order())
        {
            if (stage instanceof ChannelStage channel)
            {
                if (topology.above(stage.id()).isEmpty())
                {
                    LOG.warn("nothing feeds the channel, application={} channel={}", application, channel.id());
                }
                topology.above(stage.id()).forEach(above -> checkWay(channel, above));
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private void checkWay(final ChannelStage channel, final StageDefinition above)
    {
        if (above instanceof ProcessorStage)
        {
            final List<QueryOutput> outputs = plans.get(above.id()).outputs();
            for (final QueryOutput output : outputs)
            {
                if (channel.selector().isEmpty() || channel.selector().contains(output.queryId()))
                {
                    check(output.type(), "query=" + output.queryId(), channel);
                }
            }
            for (final String selected : channel.selector())
            {
                // A query with bindings runs as several queries whose ids start with its id.
                if (outputs.stream().noneMatch(output ->
                    output.queryId().equals(selected) || output.queryId().startsWith(selected + '_')))
                {
                    LOG.info("selector names a query that does not exist (yet), application={} channel={} query={}",
                        application, channel.id(), selected);
                }
            }
        }
        else if (above instanceof ChannelStage upper)
        {
            check(upper.eventType(), "channel=" + upper.id(), channel);
        }
        else if (above instanceof BeanStage bean)
        {
            check(sentType(bean, topology), "stage=" + bean.id(), channel);
        }
    }

    /**
     * Returns a warning when a stream channel would discard the deletions of a query.
     *
     * @param output  of the query
     * @param channel that receives it
     * @return a warning, usually none
     */
    public static Optional<Problem> deletionsLeftOut(final QueryOutput output, final ChannelStage channel)
    {
        return !output.relation() || channel.relation() ? Optional.empty() :
            Optional.of(new Problem(NetworkErrorCode.DELETIONS_LEFT_OUT, channel.position(),
                "a query whose result is a " +
                "relation feeds a stream channel: rows that leave the result are discarded, query=" + output.queryId() +
                " channel=" + channel.id(), "write IStream(...) when only new rows are wanted; or declare the " +
                "channel with is-relation=\"true\" and a primary-key, so that deletions reach the stages " +
                "below; the channel counts deletionsLeftOut", ""));
    }

    /**
     * Checks the rows of a query that starts while the network is running against a channel.
     *
     * @param output  rows that the query emits
     * @param channel that receives them
     * @throws DeploymentException with all mismatches
     */
    public static void check(final QueryOutput output, final ChannelStage channel) throws DeploymentException
    {
        final TypePropagation flow = new TypePropagation("", null, Map.of());
        flow.check(output.type(), "query=" + output.queryId(), channel);
        if (!flow.problems.isEmpty())
        {
            throw new DeploymentException(flow.problems);
        }
    }

    private void check(final EventType from, final String source, final ChannelStage channel)
    {
        final EventType to = channel.eventType();
        int common = 0;
        for (final EventProperty property : from.properties())
        {
            final int column = to.indexOf(property.name());
            if (column < 0)
            {
                LOG.info("column is dropped: the channel's event type has none of that name, application={} {}" +
                    " column={} channel={} type={}", application, source, property.name(), channel.id(), to.name());
                continue;
            }
            common++;
            final EventProperty target = to.properties().get(column);
            if (target.type() != property.type())
            {
                problems.add(new Problem(NetworkErrorCode.TYPE_MISMATCH, channel.position(),
                    "column type differs from the type of the channel's property, " + source + " column="
                        + property.name() +
                    " type=" + property.type().cqlName() + " channel=" + channel.id() + " property=" + target.name() +
                    " expected=" + target.type().cqlName(), "cast the column in the query, or change event type " +
                    to.name(), ""));
            }
        }
        if (common == 0)
        {
            problems.add(new Problem(NetworkErrorCode.NOTHING_IN_COMMON, channel.position(),
                "no column in common, " + source + " columns=" + names(from) + " channel=" + channel.id() +
                " properties=" + names(to), "rows are mapped by name: give the columns the names of the properties of "
                + to.name(), ""));
        }
    }

    private static List<String> names(final EventType type)
    {
        return type.properties().stream().map(EventProperty::name).toList();
    }
}
