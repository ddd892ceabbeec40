package dev.millrace.command.management;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

/**
 * Starts and stops recordings and playbacks of an instance, and reads its datasets. Thread-safe; failures are reported
 * like those of {@link ManagementClient}.
 */
public final class RecordingsClient
{
    private static final String EVENTS = "/events";

    private final ManagementRequests requests;

    RecordingsClient(final ManagementRequests requests)
    {
        this.requests = requests;
    }

    /** Returns {@code stages}: their recordings and playbacks. */
    public JsonObject status(final String application) throws InterruptedException
    {
        return requests.get(ManagementPaths.application(application, "/recordings")).getAsJsonObject();
    }

    /**
     * Starts or stops a recording or playback.
     *
     * @param verb for example {@code record/start}
     * @param body what to record or play back; {@code null} to stop
     * @return as {@link #status}
     */
    public JsonObject change(final String application, final String stage, final String verb, final JsonObject body)
        throws InterruptedException
    {
        final String path =
            ManagementPaths.application(application, "/stages/" + ManagementPaths.encoded(stage) + '/' + verb);
        return (body == null ? requests.post(path) : requests.postJson(path, body)).getAsJsonObject();
    }

    /** Returns one object per dataset. */
    public JsonArray datasets() throws InterruptedException
    {
        return requests.get(EVENTS).getAsJsonArray();
    }

    /** Deletes a dataset. */
    public void delete(final String dataset) throws InterruptedException
    {
        requests.delete(EVENTS + '/' + ManagementPaths.encoded(dataset));
    }
}
