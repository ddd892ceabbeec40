package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A method and path, and their action. Immutable.
 *
 * @param method  HTTP method
 * @param path    with NAME, PROCESSOR, DATASET, RULE, STAGE and CONFIGURATION in the positions of names
 * @param pattern pattern of matching paths
 * @param status  status of the response on success
 * @param about   its entry in the reference of the HTTP API; other parameters than those in it are refused
 * @param action  executes the request; threads of the work manager execute changes, the HTTP server's threads execute
 *                {@code GET}
 */
record Route(String method, String path, Pattern pattern, int status, Description about, Action action)
{
    private static final String NAME = "([A-Za-z0-9._-]{1,200})";

    /** Ids of rules may be in any language. */
    private static final String RULE = "([\\p{L}\\p{N}_$#]{1,200})";

    /** Ids of stages. */
    private static final String STAGE = "([\\p{L}\\p{N}_.$-]{1,200})";

    /** Names of configuration files, without folders. */
    private static final String CONFIGURATION = "([A-Za-z0-9_-][A-Za-z0-9._-]{0,190}\\.xml)";

    Route(final String method, final String path, final int status, final Description about, final Action action)
    {
        this(method, path, Pattern.compile(path.replaceAll("NAME|PROCESSOR|DATASET", Matcher.quoteReplacement(NAME))
            .replace("RULE", RULE).replace("STAGE", STAGE).replace("CONFIGURATION", CONFIGURATION)), status, about,
            action);
    }

    /**
     * What the reference of the HTTP API contains about a route. Immutable; each method returns a new description.
     *
     * @param summary    its effect, in one sentence
     * @param response   body of the response on success
     * @param parameters meaning of each parameter of the query, by name
     * @param body       what the client sends; empty if the body is ignored
     */
    record Description(String summary, ResponseBody response, Map<String, String> parameters, String body)
    {
        /** Describes a route without parameters and body. */
        Description(final String summary, final ResponseBody response)
        {
            this(summary, response, Map.of(), "");
        }

        Description parameter(final String name, final String meaning)
        {
            final Map<String, String> all = new LinkedHashMap<>(parameters);
            all.put(name, meaning);
            return new Description(summary, response, Collections.unmodifiableMap(all), body);
        }

        /** Adds the parameter for a change on all members of a group. */
        Description group()
        {
            return parameter(GroupRequest.GROUP, "makes the change on all members of this group of servers; "
                + "the response is then a [group change](#group-change)");
        }

        Description body(final String content)
        {
            return new Description(summary, response, parameters, content);
        }
    }

    /** The action of a route. */
    @FunctionalInterface
    interface Action
    {
        /**
         * Executes a request.
         *
         * @param request a complete request
         * @param name    first name in its path; null without a name
         * @return the response, converted to JSON
         */
        Object run(ManagementRequest request, String name)
            throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException;
    }

    Matcher matcher(final String requested)
    {
        return pattern.matcher(requested);
    }

    /**
     * Whether it changes something. A shutdown is excluded, so that it works when all threads of the work manager are
     * busy.
     */
    boolean isChange()
    {
        return !method.equals("GET") && !isShutdown(this);
    }

    static boolean isShutdown(final Route route)
    {
        return route.path.equals("/wlevs/server/shutdown");
    }
}
