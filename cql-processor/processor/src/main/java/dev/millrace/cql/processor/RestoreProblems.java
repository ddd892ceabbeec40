package dev.millrace.cql.processor;

import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.journal.JournalException;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.ArrayList;
import java.util.List;

/** Describes why a durable processor cannot store or restore its state. */
final class RestoreProblems
{
    private RestoreProblems()
    {
    }

    /**
     * @param refused a {@link JournalException} or a {@link StateException}
     */
    static DeploymentException of(final ProcessorStage definition, final RuntimeException refused)
    {
        return refused instanceof JournalException journal ?
            problem(definition, journal.code(), refused.getMessage().substring(journal.code().length() + 2),
                "read about this code in docs/error-codes.md", refused) :
            problem(definition, ProcessorErrorCode.NOT_DURABLE, refused.getMessage(),
                "undeploy the application to delete the state of its earlier rules, or deploy these rules again",
                refused);
    }

    /**
     * @param impossible why the rules to which the state belongs cannot be planned
     */
    static DeploymentException ofEarlierRules(
        final ProcessorStage definition, final DeploymentException impossible)
    {
        final List<DeploymentException.Problem> problems = new ArrayList<>();
        problems.add(new DeploymentException.Problem(ProcessorErrorCode.OTHER_RULES, definition.position(),
            "the state of a durable processor belongs to earlier rules, which cannot run with the channels, " +
            "functions and caches that the application has now, processor=" + definition.id(),
            "keep what these rules use, or uninstall the application, which deletes its state", ""));
        problems.addAll(impossible.problems());
        return new DeploymentException(problems, impossible);
    }

    private static DeploymentException problem(final ProcessorStage definition, final String code, final String reason,
        final String hint, final RuntimeException cause)
    {
        return new DeploymentException(List.of(new DeploymentException.Problem(code, definition.position(),
            "the state of a durable processor cannot be stored or restored, processor=" + definition.id() + " reason=" +
            reason, hint, "")), cause);
    }
}
