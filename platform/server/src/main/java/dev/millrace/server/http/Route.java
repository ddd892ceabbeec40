package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A method and path, and their action. Immutable.
 *
 * @param method  HTTP method
 * @param path    with NAME, RULE, STAGE and CONFIGURATION in the positions of names
 * @param pattern pattern of matching paths
 * @param status  status of the response on success
 * @param action  executes the request; threads of the work manager execute changes, the HTTP server's threads execute
 *                {@code GET}
 */
record Route(String method, String path, Pattern pattern, int status, Action action)
{
    private static final String NAME = "([A-Za-z0-9._-]{1,200})";

    /** Ids of rules may be in any language. */
    private static final String RULE = "([\\p{L}\\p{N}_$#]{1,200})";

    /** Ids of stages. */
    private static final String STAGE = "([\\p{L}\\p{N}_.$-]{1,200})";

    /** Names of configuration files, without folders. */
    private static final String CONFIGURATION = "([A-Za-z0-9_-][A-Za-z0-9._-]{0,190}\\.xml)";

    Route(final String method, final String path, final int status, final Action action)
    {
        this(method, path, Pattern.compile(path.replace("NAME", NAME).replace("RULE", RULE).replace("STAGE", STAGE)
            .replace("CONFIGURATION", CONFIGURATION)), status, action);
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
