package dev.millrace.cql.replay;

import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.CacheSource;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.ReplayEngine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The rules of a processor, planned and compiled for each unit that is replayed. */
final class PlannedReplay implements ReplayEngine.Rules
{
    private final CqlProcessorProvider provider = new CqlProcessorProvider();
    private final OfflineApplication application;
    private final ProcessorStage definition;
    private final List<Rule> recordedRules;
    private final UnaryOperator<Problem> excerpts;
    private final List<RunningCqlProcessor> running = new ArrayList<>();

    /**
     * @param application   owned
     * @param definition    with the rules to replay
     * @param recordedRules rules that have recorded
     * @param excerpts      completes problems with the lines of the file of rules
     */
    PlannedReplay(final OfflineApplication application, final ProcessorStage definition,
        final List<Rule> recordedRules, final UnaryOperator<Problem> excerpts)
    {
        this.application = application;
        this.definition = definition;
        this.recordedRules = recordedRules;
        this.excerpts = excerpts;
    }

    @Override
    public Map<String, ReplayEngine.Unit> start(final Map<String, List<GroupDescription>> recorded,
        final ReplayEngine.Output output) throws DeploymentException
    {
        final RecordedChannels channels = new RecordedChannels(definition, recordedRules,
            application.channels(definition.id()).keySet(), recorded);
        final Map<String, ReplayEngine.Unit> units = new LinkedHashMap<>();
        for (final String unit : recorded.keySet())
        {
            units.put(unit, start(unit, channels, output));
        }
        return units;
    }

    private UnitRules start(final String unit, final RecordedChannels channels, final ReplayEngine.Output output)
        throws DeploymentException
    {
        final Map<String, CacheSource> caches = new LinkedHashMap<>();
        definition.cacheSources().forEach((name, source) ->
            caches.put(name, new CacheSource(new RecordedCache(source.cache().id()), source.settings())));
        final ProcessorStage own = new ProcessorStage(definition.id(), definition.provider(), definition.rules(),
            caches, definition.objects(), definition.workers(), definition.idleStateTime(), definition.maxAttempts(),
            definition.durable(), definition.listeners(), definition.position());
        final OfflineWiring wiring = new OfflineWiring(definition.id() + '/' + unit,
            application.channels(definition.id()).keySet(), output);
        try
        {
            final RunningCqlProcessor started =
                (RunningCqlProcessor)provider.plan(own, application.channels(definition.id())).start(wiring);
            running.add(started);
            return new UnitRules(channels.of(unit, started.replayInputs()), channels.caches(unit, caches), wiring);
        }
        catch (final DeploymentException e)
        {
            throw new DeploymentException(e.problems().stream().map(excerpts).toList(), e.getCause());
        }
    }

    @Override
    public void close()
    {
        running.forEach(RunningCqlProcessor::stop);
        application.close();
    }
}
