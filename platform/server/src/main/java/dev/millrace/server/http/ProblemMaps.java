package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts problems to their JSON form. */
public final class ProblemMaps
{
    private ProblemMaps()
    {
    }

    /**
     * Converts problems to plain values.
     *
     * @return one map per problem: code, position, text, hint, excerpt
     */
    public static List<Map<String, Object>> of(final List<Problem> problems)
    {
        return problems.stream().map(ProblemMaps::of).toList();
    }

    private static Map<String, Object> of(final Problem problem)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("code", problem.code());
        map.put("position", problem.position().toString());
        map.put("text", problem.text());
        map.put("hint", problem.hint());
        map.put("excerpt", problem.excerpt());
        return map;
    }
}
