package dev.millrace.server.rules;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.List;

/** A change of the rules of a processor. */
@FunctionalInterface
public interface RuleEdit
{
    /**
     * Makes the new rules.
     *
     * @param rules all rules now, bound
     * @return all rules from now on, bound
     * @throws DeploymentException when the change does not fit the rules
     */
    List<Rule> apply(List<Rule> rules) throws DeploymentException;
}
