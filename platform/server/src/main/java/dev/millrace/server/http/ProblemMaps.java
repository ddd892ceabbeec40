package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Problems as they travel in JSON. */
public final class ProblemMaps
{
    private ProblemMaps()
    {
    }

    /**
     * Writes problems as plain values.
     *
     * @param problems to write
     * @return one map each: code, position, text, hint, excerpt
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
