package dev.millrace.adapter.http.bayeux;

import java.nio.ByteBuffer;
import org.cometd.bayeux.Promise;
import org.cometd.server.CometDResponse;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A response as CometD writes it. One write at a time. */
final class BayeuxResponse implements CometDResponse, CometDResponse.Output
{
    private final Response response;

    BayeuxResponse(final Response response)
    {
        this.response = response;
    }

    @Override
    public void addHeader(final String name, final String value)
    {
        response.getHeaders().add(name, value);
    }

    @Override
    public void setContentType(final String type)
    {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    }

    @Override
    public Output getOutput()
    {
        return this;
    }

    @Override
    public void write(final boolean isLast, final byte[] bytes, final Promise<Void> promise)
    {
        response.write(isLast, ByteBuffer.wrap(bytes),
            Callback.from(() -> promise.succeed(null), promise::fail));
    }
}
