package dev.millrace.cql.processor;

import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.JaninoClassMaker;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.List;
import java.util.Map;

/** Plans the rules of one processor, now and whenever they change. Safe for all threads. */
interface RulePlans
{
    /**
     * Plans rules.
     *
     * @param definition the processor with these rules
     * @return plan of all active rules
     * @throws DeploymentException with every problem, placed in the file of the rule
     */
    ProcessorPlan plan(ProcessorStage definition) throws DeploymentException;

    /**
     * The plan for people.
     *
     * @param plan a plan
     * @return one line an operator
     */
    String explain(ProcessorPlan plan);

    /**
     * The channels that are shared out among members.
     *
     * @return property by which, by channel id
     */
    default Map<String, String> shared()
    {
        return Map.of();
    }

    /**
     * The active rules as the language knows them.
     *
     * @param definition the processor
     * @return texts in order
     */
    List<RuleText> texts(ProcessorStage definition);

    /**
     * What makes classes of the plans.
     *
     * @return for all threads
     */
    default ClassMaker classMaker()
    {
        return new JaninoClassMaker();
    }
}
