package dev.millrace.cql.processor.unit;

import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.List;
import java.util.Map;

/** Plans the rules of one processor, initially and after each change. Thread-safe. */
public interface ProcessorPlanner
{
    /**
     * Plans the active rules.
     *
     * @param definition the processor with these rules
     * @param before     its rules before, whose planned forms are reused where they are still the same; {@code null} to
     *                   plan all rules
     * @throws DeploymentException with every problem, at its position in the file of the rule
     */
    PlannedRules plan(ProcessorStage definition, PlannedRules before) throws DeploymentException;

    /** The channels that are partitioned across members: the property by which each is partitioned, by channel id. */
    public default Map<String, String> shared()
    {
        return Map.of();
    }

    /** The active rules in the form of the language module, in order. */
    public List<RuleText> texts(ProcessorStage definition);

    /** The compiler for the classes of the plans; thread-safe. */
    default ClassCompiler classMaker()
    {
        return new JaninoClassCompiler();
    }
}
