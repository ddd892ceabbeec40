package dev.millrace.server.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The kinds of JSON bodies that successful requests return, for the reference of the HTTP API. Immutable. */
enum ResponseBody
{
    SERVER("Server", "an object", "name", "name of the domain", "state", "`STARTING`, `RUNNING` or `SHUTTING_DOWN`",
        "pid", "number of the process", "startedAt", "start of the process, ISO 8601 in UTC",
        "javaVersion", "version of Java", "ports", "number of each open port, by purpose",
        "http", "open connections, their limit, and how many were closed for each reason",
        "memory", "`limitBytes` of all applications together, `takenBytes`, and the largest `holders`",
        "warmUp", "`state`, completed `trials` and `millis` of the warm-up",
        "cluster", "`serverName`, `state`, `coordinator` and `members` as this instance sees them; absent outside one"),
    STOPPING("Stopping", "an object", "state", "`SHUTTING_DOWN`"),
    APPLICATION("Application", "an object", "name", "symbolic name of the bundle", "version", "version of the bundle",
        "state", "a [state](operating-applications.md)", "group", "group of servers that runs it, or null",
        "waitingFor", "services that it waits for", "error", "all problems as one text, or null",
        "problems", "why it does not run, as in [refusals](#refusals)",
        "causes", "causes of the state: `stage`, `code`, `text`, `since`, `count`",
        "warnings", "problems of parts that have no effect, in the same form as `problems`",
        "update", "state that the last update kept or lost: `processors`, `notes`, `pausedMicros`; absent without one"),
    APPLICATIONS("Application list", "a list; each element is an [application](#application)"),
    GROUP_CHANGE("Group change", "an object; also the response to every request with `?group=`",
        "name", "name of the application", "group", "the requested group",
        "change", "number of the version of the application in the group",
        "done", "`true` if all members have made the change",
        "members", "`serverName`, `answer` (`DONE`, `FAILED`, `GONE`, `NONE`), `state`, `version`, `problems` and "
            + "`report` of each member",
        "note", "further effects; may be empty"),
    VERSIONS("Versions", "an object", "name", "name of the application",
        "versions", "`version`, `time`, `member` and `change` of each version, the current one last"),
    STATISTICS("Statistics", "an object", "application", "name of the application", "state", "state of its network",
        "causes", "as in [application](#application)", "stages", "`id`, `kind` and figures of each stage",
        "caches", "`id`, `size` and figures of each cache",
        "memory", "`stage`, `rule`, `part` and `bytes`, the largest first",
        "startMicros", "time of the parts of the start, in microseconds"),
    RULES("Rule list", "an object", "application", "name of the application", "processor", "id of the processor",
        "rules", "`id`, `kind`, `active`, `text`, `schema`, `orderingConstraint`, `partitionExpression` and `bindings` "
            + "of each rule"),
    RULE_CHANGE("Rule change", "an object", "application", "name of the application",
        "processor", "id of the processor",
        "queries", "`id`, `action` and `lostState` of each query", "notes", "what else has changed",
        "pausedMicros", "time that events waited, in microseconds"),
    RULE_FILE("Rule file", "an object", "file", "a component configuration file with the rules, as text"),
    RECORDINGS("Recordings", "an object", "application", "name of the application",
        "stages", "`stage`, and figures of its `recording` or `playback`"),
    DATASETS("Datasets", "a list", "dataset", "name", "types", "recorded event types",
        "rows", "number of recorded events, or null", "files", "number of files, 0 in a database",
        "bytes", "size, or null", "first", "time of the first event, or null",
        "last", "time of the last event, or null",
        "tables", "tables of a database", "recordedBy", "stage that records into it, or null",
        "problem", "why it cannot be read, or null"),
    DATASET("Deleted dataset", "an object", "dataset", "name");

    private final String title;

    private final String form;

    private final Map<String, String> members = new LinkedHashMap<>();

    ResponseBody(final String title, final String form, final String... namesAndMeanings)
    {
        this.title = title;
        this.form = form;
        for (int i = 0; i < namesAndMeanings.length; i += 2)
        {
            members.put(namesAndMeanings[i], namesAndMeanings[i + 1]);
        }
    }

    /** Returns the heading of its section in the reference. */
    String title()
    {
        return title;
    }

    /** Returns whether it is an object or a list. */
    String form()
    {
        return form;
    }

    /** Returns the meaning of each member by name, in the order of the JSON; empty if another section lists them. */
    Map<String, String> members()
    {
        return Collections.unmodifiableMap(members);
    }
}
