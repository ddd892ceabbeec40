package org.example.trouble;

import dev.millrace.api.stage.StreamSink;

/** Requires a package that its bundle does not import. */
public class Needy implements StreamSink
{
    @Override
    public void onInsertEvent(final Object event)
    {
        // Never called.
    }
}
