package dev.millrace.server.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The reference of the HTTP API as Markdown, generated from routes. */
final class HttpApiPage
{
    private static final String HEAD = """
        # HTTP API

        The management endpoint of an instance accepts these requests; the commands `millrace app`, `millrace rules`,
        `millrace record` and `millrace playback` use it. This page is generated from the routes of the server;
        CONTRIBUTING.md names the command.

        ## Requests

        `var/management.url` in the domain directory contains the URL without path, by default
        `http://127.0.0.1:9002`. [A port with TLS](../domains/ports-and-secrets.md#secure-port) is optional.
        Every request needs credentials, in the header `Authorization`:

        | Credentials | Header |
        |---|---|
        | the token in `var/admin.token`, new at each start | `Bearer TOKEN` |
        | a user of `config/users`, which `millrace domain add-user` creates | `Basic`, then `NAME:PASSWORD` in Base64 |

        ```
        curl -H "Authorization: Bearer $(cat var/admin.token)" $(cat var/management.url)/wlevs/apps
        ```

        Words in capitals represent names. Segments of a path and values of a query are encoded like every URL.

        | Word | Permitted |
        |---|---|
        | `NAME`, `PROCESSOR`, `DATASET` | 1 to 200 of `A` to `Z`, `a` to `z`, `0` to `9`, `.`, `_`, `-` |
        | `RULE` | 1 to 200 letters and digits of any script, `_`, `$`, `#` |
        | `STAGE` | 1 to 200 letters and digits of any script, `_`, `.`, `$`, `-` |
        | `CONFIGURATION` | the name of a file without folders, which ends with `.xml` |

        Bodies and responses are UTF-8. Responses are JSON. An unknown parameter of the query is refused.
        Requests with a header `Origin`, which browsers send for web pages, are refused. Changes are executed by the
        work manager of the server, so several of them may run at the same time; changes of the same application are
        executed one after the other. [The audit log](../SECURITY.md#audit-log) contains each change.

        ## Refusals

        The body of a refusal is `{"problems": [...]}`. Each problem has `code`, `position`, `text`, `hint` and
        `excerpt`; [error codes](error-codes.md) lists the codes. Nothing has changed, unless the text states otherwise.

        | Status | Reason |
        |---|---|
        | 400 | the request is malformed: a parameter, the body, or HTTP itself |
        | 401 | no credentials, or wrong ones |
        | 403 | the `Host` header names another machine, or the request comes from a web page |
        | 404 | the path, application, processor, rule or dataset does not exist |
        | 405 | the path exists, but not with this method |
        | 413 | the body is too large |
        | 422 | the server cannot make the change; the problems contain every reason |
        | 429 | too many failed or concurrent logins |
        | 500 | files cannot be read or written, or an internal error |
        | 503 | too many requests are waiting, the audit log cannot be written, or the server stops; try again |

        A successful response whose `state` is `WAITING` has status 202 instead of 200 or 201: the application waits
        for a service.
        """;

    /** Patterns of the paths of each section. */
    private static final Map<String, String> AREAS = new LinkedHashMap<>();

    static
    {
        AREAS.put("Instance", "/wlevs/server.*");
        AREAS.put("Applications", "/wlevs/apps(/NAME(/(?!recordings)[a-z]+|/configuration/.*)?)?");
        AREAS.put("Rules", "/wlevs/apps/NAME/processors/.*");
        AREAS.put("Record and playback", "/wlevs/apps/NAME/(stages/.*|recordings)|/wlevs/events.*");
    }

    private HttpApiPage()
    {
    }

    static String of(final List<Route> routes)
    {
        final StringBuilder page = new StringBuilder(HEAD);
        AREAS.forEach((area, paths) ->
        {
            page.append("\n## ").append(area).append('\n');
            routes.stream().filter(route -> route.path().matches(paths)).forEach(route -> append(page, route));
        });
        page.append("\n## Response bodies\n");
        for (final ResponseBody body : ResponseBody.values())
        {
            append(page, body);
        }
        return page.toString();
    }

    static String heading(final Route route)
    {
        return "### `" + route.method() + ' ' + route.path() + '`';
    }

    private static void append(final StringBuilder page, final Route route)
    {
        page.append('\n').append(heading(route)).append("\n\n").append(route.about().summary()).append("\n\n");
        route.about().parameters().forEach((name, meaning) ->
            page.append("* Parameter `").append(name).append("`: ").append(meaning).append(".\n"));
        if (!route.about().body().isEmpty())
        {
            page.append("* Body: ").append(route.about().body()).append(".\n");
        }
        final String title = route.about().response().title();
        page.append("* Response: ").append(route.status()).append(", [").append(title.toLowerCase(Locale.ROOT))
            .append("](#").append(title.toLowerCase(Locale.ROOT).replace(' ', '-')).append(").\n");
        if (RequestAudit.isAudited(route))
        {
            page.append("* Audit event: `").append(RequestAudit.event(route)).append("`.\n");
        }
    }

    private static void append(final StringBuilder page, final ResponseBody body)
    {
        page.append("\n### ").append(body.title()).append("\n\nThe body is ").append(body.form()).append(".\n");
        if (!body.members().isEmpty())
        {
            page.append("\n| Member | Content |\n|---|---|\n").append(body.members().entrySet().stream()
                .map(member -> "| `" + member.getKey() + "` | " + member.getValue() + " |\n")
                .collect(Collectors.joining()));
        }
    }
}
