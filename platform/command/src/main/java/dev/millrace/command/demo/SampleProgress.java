package dev.millrace.command.demo;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * Counts of an application of a sample.
 *
 * @param received  rows of its sources
 * @param rejected  rows that a stage has rejected
 * @param passed    rows that have entered or left a stage; grows as long as something happens
 * @param connected whether no adapter waits for its broker
 */
record SampleProgress(long received, long rejected, long passed, boolean connected)
{
    static final SampleProgress NONE = new SampleProgress(0, 0, 0, true);

    static SampleProgress of(final JsonObject statistics)
    {
        SampleProgress sum = NONE;
        for (final JsonElement element : statistics.getAsJsonArray("stages"))
        {
            final JsonObject stage = element.getAsJsonObject();
            final long in = stage.get("rowsIn").getAsLong();
            final long out = stage.get("rowsOut").getAsLong();
            final JsonObject own = stage.has("own") ? stage.getAsJsonObject("own") : new JsonObject();
            sum = sum.plus(new SampleProgress(in == 0 ? out : 0, stage.get("rowsRejected").getAsLong(), in + out,
                !own.has("connected") || own.get("connected").getAsBoolean()));
        }
        return sum;
    }

    SampleProgress plus(final SampleProgress other)
    {
        return new SampleProgress(received + other.received, rejected + other.rejected, passed + other.passed,
            connected && other.connected);
    }
}
