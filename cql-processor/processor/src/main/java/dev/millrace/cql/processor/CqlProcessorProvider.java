package dev.millrace.cql.processor;

import dev.millrace.cql.compiler.janino.ClassCache;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.planner.RuleSetPlan;
import dev.millrace.cql.processor.binding.RuleCatalog;
import dev.millrace.cql.processor.calibration.BatchCalibration;
import dev.millrace.cql.processor.problem.RuleProblems;
import dev.millrace.cql.processor.unit.ContextClassLoaderScope;
import dev.millrace.cql.processor.unit.IdleStateSettings;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Creates CQL processors. Stateless except for its class compiler; thread-safe.
 *
 * <p>Failure: all problems of the rules are reported together, each with its position in the configuration file.
 */
public final class CqlProcessorProvider implements ProcessorProvider
{
    /** Value of {@link ProcessorProvider#PROVIDER_PROPERTY}. */
    public static final String TYPE = "cql";

    private final RulePlanner planner = new RulePlanner();
    private final ClassCompiler classMaker;

    /** Creates a provider whose processors compile their rules at each start. */
    public CqlProcessorProvider()
    {
        this(ClassCache.NONE);
    }

    /**
     * @param store caches the classes of rules between starts; the caller closes it
     */
    public CqlProcessorProvider(final ClassCache store)
    {
        classMaker = new JaninoClassCompiler(store);
    }

    @Override
    public PlannedProcessor plan(final ProcessorStage definition, final Map<String, InputChannel> channels)
        throws DeploymentException
    {
        final ProcessorPlanner plans = new Plans(planner, channels, classMaker);
        return new PlannedCqlProcessor(plans.plan(definition, null), plans);
    }

    @Override
    public void calibrate()
    {
        final ClassLoader before = ContextClassLoaderScope.enter();
        try
        {
            new BatchCalibration().run();
        }
        finally
        {
            ContextClassLoaderScope.leave(before);
        }
    }

    /** Plans the rules of one processor, whose channels do not change. */
    private record Plans(RulePlanner planner, Map<String, InputChannel> channels, ClassCompiler classMaker)
        implements ProcessorPlanner
    {
        @Override
        public PlannedRules plan(final ProcessorStage definition, final PlannedRules rules) throws DeploymentException
        {
            // Planned forms are valid for the catalog that they were planned with.
            final RuleSetPlan before = rules != null && rules.hasObjectsOf(definition) ? rules.forms() : null;
            final Catalog catalog = before == null ? RuleCatalog.of(definition, channels) : before.catalog();
            final ClassLoader loader = ContextClassLoaderScope.enter();
            try
            {
                final RuleSetPlan first = plan(definition, Set.of(), catalog, before);
                // Flows can discard partitions that move, pipelines keep them together.
                final Set<String> keepers = new PartitionedRuleCheck(definition, shared()).keepersIn(first.plan());
                keepers.addAll(new IdleStateSettings(definition).forgettersIn(first.plan()));
                final RuleSetPlan plan = keepers.isEmpty() ? first : plan(definition, keepers, catalog, first);
                RuleCatalog.checkWindows(definition, plan, before);
                new PartitionedRuleCheck(definition, shared()).check(plan.plan());
                new DurableRuleCheck(definition, shared()).check(plan.plan());
                return new PlannedRules(definition, plan);
            }
            catch (final CqlException failure)
            {
                throw RuleProblems.inFile(definition, failure);
            }
            finally
            {
                ContextClassLoaderScope.leave(loader);
            }
        }

        private RuleSetPlan plan(final ProcessorStage definition, final Set<String> asFlows, final Catalog catalog,
            final RuleSetPlan before) throws CqlException
        {
            return (asFlows.isEmpty() ? planner : planner.withFlows(asFlows))
                .plan(definition.id(), texts(definition), catalog, before);
        }

        @Override
        public Map<String, String> shared()
        {
            return channels.values().stream().filter(channel -> channel.sharedBy() != null)
                .collect(Collectors.toMap(InputChannel::id, InputChannel::sharedBy));
        }

        @Override
        public List<RuleText> texts(final ProcessorStage definition)
        {
            return RuleCatalog.texts(definition);
        }
    }
}
