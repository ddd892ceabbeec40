package dev.millrace.network.processor;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warnings about the current rules of a processor: channels below that discard deletions, and state that was lost when
 * the processor started with other rules.
 *
 * <p>Threads: changed by the thread that wires the processor or changes its rules; any thread reads them.
 */
final class ProcessorWarnings
{
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorWarnings.class);

    private final String stage;
    /** Warnings about channels that discard deletions, by query. */
    private volatile Map<String, List<Problem>> deletionsLeftOut = Map.of();
    /** Warnings about state of durable rules that were changed while the application did not run. */
    private volatile List<Problem> lostAtStart = List.of();

    /** @param stage qualified name of the processor */
    ProcessorWarnings(final String stage)
    {
        this.stage = stage;
    }

    List<Problem> list()
    {
        return Stream.concat(lostAtStart.stream(), deletionsLeftOut.values().stream().flatMap(List::stream)).toList();
    }

    /** Warns about the rules of a processor that was wired. */
    void wired(final List<QueryOutput> outputs, final ProcessorOutlets outlets)
    {
        final Map<String, List<Problem>> leftOut = new LinkedHashMap<>();
        outputs.forEach(output -> leftOut.put(output.queryId(),
            outlets.deletionsLeftOut(output, channel -> channel.takes(output.queryId()))));
        deletionsLeftOut = leftOut;
        list().forEach(this::warn);
    }

    private void warn(final Problem warning)
    {
        LOG.warn("rules may not do what is intended, stage={} {}", stage, warning.format());
    }

    /**
     * Warns about rules that were changed.
     *
     * @param outputs of the change
     * @return the change with these warnings as notes
     */
    RuleChange changed(final RuleChange change, final ChangedOutputs outputs)
    {
        final Map<String, List<Problem>> before = deletionsLeftOut;
        final Map<String, List<Problem>> after = new LinkedHashMap<>();
        final List<String> notes = new ArrayList<>(change.notes());
        for (final RuleChange.QueryChange query : change.queries())
        {
            if (query.action() == RuleChange.Action.KEPT)
            {
                after.put(query.id(), before.getOrDefault(query.id(), List.of()));
            }
            else if (query.action() != RuleChange.Action.STOPPED)
            {
                final List<Problem> warnings = outputs.deletionsLeftOut(query.id());
                after.put(query.id(), warnings);
                warnings.forEach(this::warn);
                warnings.forEach(warning -> notes.add(warning.code() + ' ' + warning.text() + "; " + warning.hint()));
            }
        }
        deletionsLeftOut = after;
        return new RuleChange(change.queries(), notes, change.pausedNs());
    }

    /** Warns about state that was lost because the rules were changed while the application did not run. */
    void lost(final RuleChange change, final ProcessorStage definition)
    {
        lostAtStart = change.queries().stream().filter(query -> !query.lostState().isEmpty()).map(query -> new Problem(
            NetworkErrorCode.STATE_LOST, definition.position(), "the rules differ from those before the start, so " +
            "the state of a query was lost, processor=" + definition.id() + " query=" + query.id() + " action=" +
            query.action() + " state=" + query.lostState(), "none: its rows are complete from now on", "")).toList();
        lostAtStart.forEach(lost -> LOG.warn("state was lost, stage={} {}", stage, lost.format()));
    }
}
