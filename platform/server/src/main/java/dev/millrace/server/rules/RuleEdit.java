package dev.millrace.server.rules;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.List;

/** A change of the rules of a processor. */
@FunctionalInterface
public interface RuleEdit
{
    /**
     * Computes the new rules.
     *
     * @param rules current rules, bound
     * @return complete new rules, bound
     * @throws DeploymentException when the change does not fit the rules
     */
    List<Rule> apply(List<Rule> rules) throws DeploymentException;
}
