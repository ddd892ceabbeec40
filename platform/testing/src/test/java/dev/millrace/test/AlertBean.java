package dev.millrace.test;

import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.stage.StreamSource;

/** A bean of the application of the tests. */
public final class AlertBean implements StreamSink, StreamSource
{
    private StreamSender sender;
    private String text;
    private int alerts;

    public void setText(final String text)
    {
        this.text = text;
    }

    @Override
    public void setEventSender(final StreamSender given)
    {
        sender = given;
    }

    @Override
    public void onInsertEvent(final Object event) throws EventRejectedException
    {
        final TupleEvent order = (TupleEvent)event;
        if ((Integer)order.get("id") < 0)
        {
            throw new EventRejectedException("the id is negative, id=" + order.get("id"));
        }
        final Alert alert = new Alert();
        alert.setOrder((Integer)order.get("id"));
        alert.setText(text + " of " + order.get("customer"));
        alerts++;
        sender.sendInsertEvent(alert);
    }

    int alerts()
    {
        return alerts;
    }
}
