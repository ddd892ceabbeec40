package dev.millrace.adapter.http.bayeux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.cometd.server.CometDRequest;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** A request as CometD reads it. Confined to the thread that handles the request. */
final class BayeuxRequest implements CometDRequest, CometDRequest.Input
{
    private static final String UTF_8 = "UTF-8";

    private final Request request;

    BayeuxRequest(final Request request)
    {
        this.request = request;
    }

    @Override
    public String getMethod()
    {
        return request.getMethod();
    }

    @Override
    public String getProtocol()
    {
        return request.getConnectionMetaData().getProtocol();
    }

    @Override
    public List<String> getParameterValues(final String name)
    {
        final Fields.Field field = Request.extractQueryParameters(request).get(name);
        return field == null ? List.of() : field.getValues();
    }

    /** JSON is UTF-8, whatever the request states. */
    @Override
    public String getCharacterEncoding()
    {
        return UTF_8;
    }

    @Override
    public String getCookie(final String name)
    {
        return Request.getCookies(request).stream().filter(cookie -> cookie.getName().equals(name)).findFirst()
            .map(cookie -> cookie.getValue()).orElse(null);
    }

    @Override
    public Input getInput()
    {
        return this;
    }

    @Override
    public Object getAttribute(final String name)
    {
        return request.getAttribute(name);
    }

    @Override
    public void setAttribute(final String name, final Object value)
    {
        request.setAttribute(name, value);
    }

    @Override
    public void addFailureHandler(final Consumer<Throwable> handler)
    {
        request.addFailureListener(handler);
    }

    @Override
    public void demand(final Runnable callback)
    {
        request.demand(callback);
    }

    @Override
    public Chunk read() throws IOException
    {
        final Content.Chunk chunk = request.read();
        if (chunk == null)
        {
            return null;
        }
        if (Content.Chunk.isFailure(chunk))
        {
            throw new IOException("the body of a request has not arrived", chunk.getFailure());
        }
        return new BodyChunk(chunk);
    }

    /** A part of the body. */
    private record BodyChunk(Content.Chunk chunk) implements Chunk
    {
        @Override
        public ByteBuffer byteBuffer()
        {
            return chunk.getByteBuffer();
        }

        @Override
        public boolean isLast()
        {
            return chunk.isLast();
        }

        @Override
        public void release()
        {
            chunk.release();
        }
    }
}
