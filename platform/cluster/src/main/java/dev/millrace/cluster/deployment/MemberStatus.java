package dev.millrace.cluster.deployment;

import com.google.gson.Gson;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A member's result for a version of a document. Immutable.
 *
 * @param version  of the document
 * @param state    of the application on the member; empty when it has none
 * @param runs     version that the member has; 0 when it has none, or an unknown one
 * @param problems reasons why the document could not be applied; empty when it was
 * @param report   state kept and lost by an update; empty when it was no update
 */
record MemberStatus(long version, String state, long runs, List<Problem> problems, List<String> report)
{
    /** State of an application that was removed. */
    static final String GONE = "UNINSTALLED";

    /** The only problem that can end without a change: bytes that another member has not provided yet. */
    static final String MISSING = "CLU-0211";

    private static final Gson GSON = new Gson();

    MemberStatus
    {
        problems = List.copyOf(problems);
        // Members with an older version do not send it.
        report = report == null ? List.of() : List.copyOf(report);
    }

    MemberStatus(final long version, final String state, final long runs, final List<Problem> problems)
    {
        this(version, state, runs, problems, List.of());
    }

    static List<Problem> problem(final DesiredDeployment document, final String code, final String text,
        final String hint)
    {
        return List.of(new Problem(code, new SourcePosition(document.name(), 0, 0), text, hint, ""));
    }

    static MemberStatus of(final byte[] json)
    {
        return GSON.fromJson(new String(json, StandardCharsets.UTF_8), MemberStatus.class);
    }

    byte[] json()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    boolean isDone()
    {
        return problems.isEmpty();
    }

    /** Whether the member retries automatically. */
    boolean isForNow()
    {
        return problems.stream().anyMatch(each -> each.code().equals(MISSING));
    }
}
