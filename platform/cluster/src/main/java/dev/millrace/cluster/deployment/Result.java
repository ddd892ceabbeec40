package dev.millrace.cluster.deployment;

import com.google.gson.Gson;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a member says of a version of a document. Immutable.
 *
 * @param version  of the document
 * @param state    of the application there; empty when it has none
 * @param runs     version of what it has; 0 when it has none, or one that is not known any more
 * @param problems why it is not as the document wants it; empty when it is
 * @param report   what an update kept and lost; empty when it was none
 */
record Result(long version, String state, long runs, List<Problem> problems, List<String> report)
{
    /** Of an application that is gone. */
    static final String GONE = "UNINSTALLED";

    /** The only problem that goes away without a change: bytes that somebody else has still to bring. */
    static final String MISSING = "CLU-0211";

    private static final Gson GSON = new Gson();

    Result
    {
        problems = List.copyOf(problems);
        // Members of a version before do not send it.
        report = report == null ? List.of() : List.copyOf(report);
    }

    Result(final long version, final String state, final long runs, final List<Problem> problems)
    {
        this(version, state, runs, problems, List.of());
    }

    static List<Problem> problem(final Document document, final String code, final String text, final String hint)
    {
        return List.of(new Problem(code, new SourcePosition(document.name(), 0, 0), text, hint, ""));
    }

    static Result of(final byte[] json)
    {
        return GSON.fromJson(new String(json, StandardCharsets.UTF_8), Result.class);
    }

    byte[] json()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    boolean isDone()
    {
        return problems.isEmpty();
    }

    /** Whether the member will try again by itself. */
    boolean isForNow()
    {
        return problems.stream().anyMatch(each -> each.code().equals(MISSING));
    }
}
