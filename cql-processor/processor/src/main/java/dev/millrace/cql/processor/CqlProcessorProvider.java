package dev.millrace.cql.processor;

import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.ClassStore;
import dev.millrace.cql.compiler.JaninoClassMaker;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.CqlException;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.processor.calibration.BatchCalibration;
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
    private final ClassMaker classMaker;

    /** Creates a provider whose processors compile their rules at each start. */
    public CqlProcessorProvider()
    {
        this(ClassStore.NONE);
    }

    /**
     * @param store caches the classes of rules between starts; the caller closes it
     */
    public CqlProcessorProvider(final ClassStore store)
    {
        classMaker = new JaninoClassMaker(store);
    }

    @Override
    public PlannedProcessor plan(final ProcessorStage definition, final Map<String, InputChannel> channels)
        throws DeploymentException
    {
        final RulePlans plans = new Plans(planner, channels, classMaker);
        final ProcessorPlan plan = plans.plan(definition);
        return new PlannedCqlProcessor(definition, plan, plans.explain(plan), plans);
    }

    @Override
    public void calibrate()
    {
        final ClassLoader before = BundleClasses.enter();
        try
        {
            new BatchCalibration().run();
        }
        finally
        {
            BundleClasses.leave(before);
        }
    }

    /** Plans the rules of one processor, whose channels do not change. */
    private record Plans(RulePlanner planner, Map<String, InputChannel> channels, ClassMaker classMaker)
        implements RulePlans
    {
        @Override
        public ProcessorPlan plan(final ProcessorStage definition) throws DeploymentException
        {
            final Catalog catalog = RuleCatalog.of(definition, channels);
            final ClassLoader before = BundleClasses.enter();
            try
            {
                final ProcessorPlan plan = plan(definition, Set.of(), catalog);
                // Flows can discard partitions that move, pipelines keep them together.
                final Set<String> keepers = new SharedRules(definition, shared()).keepersIn(plan);
                keepers.addAll(new IdleState(definition).forgettersIn(plan));
                final ProcessorPlan known = keepers.isEmpty() ? plan : plan(definition, keepers, catalog);
                RuleCatalog.checkWindows(definition, known);
                new SharedRules(definition, shared()).check(known);
                return known;
            }
            catch (final CqlException failure)
            {
                throw RuleProblems.inFile(definition, failure);
            }
            finally
            {
                BundleClasses.leave(before);
            }
        }

        private ProcessorPlan plan(final ProcessorStage definition, final Set<String> asFlows, final Catalog catalog)
            throws CqlException
        {
            return (asFlows.isEmpty() ? planner : planner.withFlows(asFlows))
                .plan(definition.id(), texts(definition), catalog);
        }

        @Override
        public Map<String, String> shared()
        {
            return channels.values().stream().filter(channel -> channel.sharedBy() != null)
                .collect(Collectors.toMap(InputChannel::id, InputChannel::sharedBy));
        }

        @Override
        public String explain(final ProcessorPlan plan)
        {
            return planner.explain(plan);
        }

        @Override
        public List<RuleText> texts(final ProcessorStage definition)
        {
            return RuleCatalog.texts(definition);
        }
    }
}
