package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import dev.millrace.server.http.Route.Description;
import dev.millrace.server.recording.RecordingManagement;
import dev.millrace.server.recording.RecordingRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The routes that record and play back stages, and those of datasets. Thread-safe. */
final class RecordingRoutes
{
    private static final String STAGE = "/wlevs/apps/NAME/stages/STAGE";
    private static final int MAX_BODY_BYTES = 1 << 16;
    private static final List<String> RECORD = List.of("dataset", "eventTypes", "from", "to");
    private static final List<String> PLAYBACK = List.of("dataset", "eventTypes", "from", "to", "speed", "repeat");
    /** A time or speed in the body is wrong: send the form shown in the hint. */
    private static final String BAD_VALUE = "SRV-0511";
    private static final int OK = 200;
    /** Index of the stage in the path. */
    private static final int ID = 5;

    private final Management management;

    RecordingRoutes(final Management management)
    {
        this.management = management;
    }

    /** An operation on a stage. */
    @FunctionalInterface
    private interface Work
    {
        Object run(String stage) throws NoSuchApplicationException, DeploymentException;
    }

    List<Route> routes()
    {
        return List.of(
            new Route("GET", "/wlevs/apps/NAME/recordings", OK, new Description(
                "Returns the recordings and playbacks of an application.", ResponseBody.RECORDINGS),
                (request, name) -> management.recordings(name)),
            new Route("POST", STAGE + "/record/start", OK, new Description(
                "Starts to record the events of a stage.", ResponseBody.RECORDINGS).body(body(RECORD)),
                (request, name) ->
            {
                final RecordingRequest asked = asked(request, RECORD);
                return on(request, stage -> management.startRecording(name, stage, asked));
            }),
            new Route("POST", STAGE + "/record/stop", OK, new Description(
                "Stops to record a stage.", ResponseBody.RECORDINGS), (request, name) ->
                on(request, stage -> management.stopRecording(name, stage))),
            new Route("POST", STAGE + "/playback/start", OK, new Description(
                "Starts to play recorded events back through a stage.", ResponseBody.RECORDINGS).body(body(PLAYBACK)),
                (request, name) ->
            {
                final RecordingRequest asked = asked(request, PLAYBACK);
                return on(request, stage -> management.startPlayback(name, stage, asked));
            }),
            new Route("POST", STAGE + "/playback/stop", OK, new Description(
                "Stops a playback.", ResponseBody.RECORDINGS), (request, name) ->
                on(request, stage -> management.stopPlayback(name, stage))),
            new Route("GET", "/wlevs/events", OK, new Description(
                "Returns the datasets of recorded events.", ResponseBody.DATASETS),
                (request, none) -> management.datasets()),
            new Route("DELETE", "/wlevs/events/DATASET", OK, new Description(
                "Deletes a dataset.", ResponseBody.DATASET), this::delete));
    }

    /** Describes the body of a request that starts something. */
    private static String body(final List<String> members)
    {
        return "an object with any of `" + String.join("`, `", members) + "`; what is missing is taken from the "
            + "configuration of the stage. At most " + (MAX_BODY_BYTES >> 10) + " KiB";
    }

    private static Object on(final ManagementRequest request, final Work work)
        throws NoSuchApplicationException, DeploymentException
    {
        return work.run(request.path().split("/")[ID]);
    }

    private Object delete(final ManagementRequest request, final String dataset)
        throws HttpProblem, DeploymentException
    {
        try
        {
            return management.deleteDataset(dataset);
        }
        catch (final DeploymentException e)
        {
            final DeploymentException.Problem first = e.problems().get(0);
            if (first.code().equals(RecordingManagement.NO_DATASET))
            {
                throw new HttpProblem(HttpProblem.NOT_FOUND, first.code(), first.text(), first.hint());
            }
            throw e;
        }
    }

    private static RecordingRequest asked(final ManagementRequest request, final List<String> members)
        throws IOException, HttpProblem
    {
        final byte[] content;
        try (InputStream body = request.body(MAX_BODY_BYTES))
        {
            content = body.readAllBytes();
        }
        catch (final LimitedInput.TooLargeException e)
        {
            throw new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413",
                "body is too large, limitBytes=" + MAX_BODY_BYTES, "select fewer event types");
        }
        final RuleBody body = RuleBody.of(content);
        body.only(members);
        final Long from = time(body, "from");
        final Long to = time(body, "to");
        final long start = from == null ? Long.MIN_VALUE : from;
        final long end = to == null ? Long.MAX_VALUE : to;
        if (start >= end)
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, BAD_VALUE, "the end is not later than the start, from=" +
                body.text("from") + " to=" + body.text("to"), "send a later end");
        }
        return new RecordingRequest(body.text("dataset"), body.texts("eventTypes"),
            from == null && to == null ? null : new TimeRange(start, end), speed(body.text("speed")),
            body.text("repeat") == null ? null : (Boolean)body.flag("repeat", false));
    }

    private static Long time(final RuleBody body, final String member) throws HttpProblem
    {
        final String text = body.text(member);
        final Long time = text == null ? null : TimeRange.parse(text);
        if (text != null && time == null)
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, BAD_VALUE, "not a time, " + member + '=' + text,
                "send " + TimeRange.FORM);
        }
        return time;
    }

    private static Double speed(final String text) throws HttpProblem
    {
        if (text == null)
        {
            return null;
        }
        final double speed = text.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(text) : 0;
        if (!PlaybackSettings.isSpeed(speed))
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, BAD_VALUE, "not a speed, speed=" + text,
                "send 1 for the recorded speed, 2 for twice as fast, or 0.5; at most " +
                    (long)PlaybackSettings.MAX_SPEED);
        }
        return speed;
    }
}
