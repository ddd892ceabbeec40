package dev.millrace.command.recording;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that select a stage, a dataset and a part of it. */
final class StageOptions
{
    private StageOptions()
    {
    }

    /** The application. */
    static final class Application
    {
        @Option(names = {"-A", "-application", "--application", "--app"}, paramLabel = "APPLICATION", required = true,
            description = "Application: the symbolic name of its bundle.")
        private String name;

        String name()
        {
            return name;
        }
    }

    /** The stage of a change. */
    static final class Stage
    {
        @Option(names = {"-S", "-stage", "--stage"}, paramLabel = "STAGE", required = true,
            description = "Id of the adapter, channel, processor or event bean.")
        private String id;

        String id()
        {
            return id;
        }
    }

    /** Selects the rows to record or play back. */
    static final class Selection
    {
        @Option(names = "--dataset", paramLabel = "DATASET",
            description = "Name of the dataset. Default: the one that is configured for the stage.")
        private String dataset;

        @Option(names = "--event-type", paramLabel = "TYPE",
            description = "Event type; can be repeated. Default: the configured ones, or all.")
        private List<String> eventTypes;

        @Option(names = "--from", paramLabel = "TIME",
            description = "Only rows recorded from this time on, for example 2026-11-29T10:15:00, which is in UTC"
                + " unless a zone such as +01:00 follows.")
        private String from;

        @Option(names = "--to", paramLabel = "TIME", description = "Only rows recorded before this time.")
        private String to;

        /** The body of a request. */
        JsonObject body()
        {
            final JsonObject body = new JsonObject();
            body.addProperty("dataset", dataset);
            final JsonArray types = new JsonArray();
            (eventTypes == null ? List.<String>of() : eventTypes).forEach(types::add);
            body.add("eventTypes", types);
            body.addProperty("from", from);
            body.addProperty("to", to);
            return body;
        }
    }
}
