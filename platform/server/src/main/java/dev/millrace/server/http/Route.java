package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What answers a method and path. Immutable.
 *
 * @param method  of HTTP
 * @param path    with NAME, RULE and CONFIGURATION where a request has names
 * @param pattern that paths match
 * @param status  of the answer when it is done
 * @param action  does it; the work manager's threads make changes, the HTTP server's own threads answer {@code GET}
 */
record Route(String method, String path, Pattern pattern, int status, Action action)
{
    private static final String NAME = "([A-Za-z0-9._-]{1,200})";

    /** Ids of rules are in any language. */
    private static final String RULE = "([\\p{L}\\p{N}_$#]{1,200})";

    /** Names of configuration files, without folders. */
    private static final String CONFIGURATION = "([A-Za-z0-9_-][A-Za-z0-9._-]{0,190}\\.xml)";

    Route(final String method, final String path, final int status, final Action action)
    {
        this(method, path, Pattern.compile(path.replace("NAME", NAME).replace("RULE", RULE)
            .replace("CONFIGURATION", CONFIGURATION)), status, action);
    }

    /** The work behind a route. */
    @FunctionalInterface
    interface Action
    {
        /**
         * Does it.
         *
         * @param request that has arrived completely
         * @param name    the first name in its path; null when it has none
         * @return what is answered as JSON
         */
        Object run(ManagementRequest request, String name)
            throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException;
    }

    Matcher matcher(final String requested)
    {
        return pattern.matcher(requested);
    }

    /** Whether it changes something; stopping is possible when all threads of the work manager are busy. */
    boolean isChange()
    {
        return !method.equals("GET") && !isShutdown(this);
    }

    static boolean isShutdown(final Route route)
    {
        return route.path.equals("/wlevs/server/shutdown");
    }
}
