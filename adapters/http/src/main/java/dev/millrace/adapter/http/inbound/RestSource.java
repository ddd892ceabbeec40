package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.api.EventMapper;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.Mappers;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.adapter.http.security.AccessProperties;
import dev.millrace.adapter.http.security.RequestGate;
import dev.millrace.adapter.http.server.DeclaredServer;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.event.EventType;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.EventServers;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.util.Map;

/**
 * Source of the events that clients post. INBOUND.md describes its properties.
 *
 * <p>Threads: rows are decoded and sent by the thread that calls {@link #run}; threads of the HTTP server receive
 * requests; life-cycle calls come from the managing thread. Failure: deployment fails if a property is wrong, does not
 * match the event type, or if path or port are in use; requests that cannot be processed are refused with status, code
 * and next step.
 */
public final class RestSource implements Adapter, EventBatchSource, StageContextAware, InitializingBean,
    ActivatableBean, RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    private static final long POLL_MS = 100;

    private final EventServers servers;
    private final NamedSecrets secrets;
    private final ServerPool pool;
    private final SourceProperties properties = new SourceProperties();
    private final AccessProperties access = new AccessProperties();
    private final SourceCounters counters = new SourceCounters();
    private String eventTypeName;
    private String serverName;
    private StageContext context;
    private EventBatchSender sender;
    private PropertyCheck check;
    private SourceSettings settings;
    private EventServer server;
    private RequestGate gate;
    private RequestQueue queue;
    private RestEndpoint endpoint;
    private RequestProcessor processor;
    private ServerPool.Registration registration;
    private volatile boolean isStopping;

    /**
     * Creates a source.
     *
     * @param servers declared in config.xml
     * @param secrets of config.xml
     * @param pool    running servers
     */
    public RestSource(final EventServers servers, final NamedSecrets secrets, final ServerPool pool)
    {
        this.servers = servers;
        this.secrets = secrets;
        this.pool = pool;
    }

    /** The path of requests, for example {@code /orders}; required. */
    public void setContextPath(final String path)
    {
        properties.contextPath = path;
    }

    /** The name of the server for events; optional if config.xml declares only one. */
    public void setServer(final String name)
    {
        serverName = name;
    }

    /** The event type. Optional: the channel after the adapter specifies it too, and both must be equal. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** The mapper of JSON. The source accepts only the formats that have a mapper, all without mappers. */
    public void setJsonMapper(final EventMapper mapper)
    {
        properties.mappers.set(Mappers.Format.JSON, mapper);
    }

    /** The mapper of XML. */
    public void setJaxbMapper(final EventMapper mapper)
    {
        properties.mappers.set(Mappers.Format.XML, mapper);
    }

    /** The mapper of CSV. */
    public void setCsvMapper(final EventMapper mapper)
    {
        properties.mappers.set(Mappers.Format.CSV, mapper);
    }

    /** Secrets that are tokens of clients. */
    public void setTokenSecrets(final String names)
    {
        access.tokenSecrets = names;
    }

    /** Secrets that are passwords of users with the same names. */
    public void setUserSecrets(final String names)
    {
        access.userSecrets = names;
    }

    /** The origins of web pages that may send requests; default none. */
    public void setAllowedOrigins(final String origins)
    {
        access.allowedOrigins = origins;
    }

    /** Whether other hosts may send requests without authentication; default false. */
    public void setAllowUnauthenticated(final boolean isAllowed)
    {
        access.allowUnauthenticated = isAllowed;
    }

    /** The properties that are read; for CSV in the order of the fields. */
    public void setColumns(final String names)
    {
        properties.columns = names;
    }

    /** Whether CSV begins with a header unless the media type states it; default true. */
    public void setHeader(final boolean header)
    {
        properties.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.separator = separator;
    }

    /** A further representation of null in CSV; default none. */
    public void setNullText(final String text)
    {
        properties.nullText = text;
    }

    /** {@code reject} or {@code null}: what a missing value means; default reject. */
    public void setMissing(final String meaning)
    {
        properties.missing = meaning;
    }

    /** {@code refuse} or {@code skip}: whether a bad row refuses its request; default refuse. */
    public void setBadRows(final String meaning)
    {
        properties.badRows = meaning;
    }

    /** The maximum size of a body; default 4194304. */
    public void setMaxBodyBytes(final int bytes)
    {
        properties.maxBodyBytes = bytes;
    }

    /** The maximum size of all bodies in memory; default 67108864. */
    public void setMaxBufferedBytes(final long bytes)
    {
        properties.maxBufferedBytes = bytes;
    }

    /** The maximum number of requests that wait; default 1024. */
    public void setMaxQueuedRequests(final int requests)
    {
        properties.maxQueuedRequests = requests;
    }

    /** The maximum time that a request waits; default 5000. */
    public void setMaxWaitMillis(final int millis)
    {
        properties.maxWaitMillis = millis;
    }

    /** The maximum time in which a body must arrive; default 30000. */
    public void setBodyTimeoutMillis(final int millis)
    {
        properties.bodyTimeoutMillis = millis;
    }

    /** The maximum time to wait until rows are stored; default 10000. */
    public void setConfirmTimeoutMillis(final int millis)
    {
        properties.confirmTimeoutMillis = millis;
    }

    /** The maximum number of producers of clients; default 1000. */
    public void setMaxProducers(final int producers)
    {
        properties.maxProducers = producers;
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        check = new PropertyCheck(HttpErrorCode.PROPERTY, context == null ? "application/source" :
            context.applicationName() + '/' + context.stageId());
        settings = properties.check(check);
        eventTypeName = properties.mappers.eventTypeName(check, eventTypeName);
        server = DeclaredServer.find(check, servers, serverName);
        gate = access.check(check, secrets, server);
        if (eventTypeName != null && context != null)
        {
            final EventType type = context.eventTypes().eventType(eventTypeName);
            if (type == null)
            {
                throw wrongType(context.eventTypes().eventTypes().stream().map(EventType::name).toList().toString());
            }
            columns(type);
        }
    }

    private IllegalArgumentException wrongType(final String known)
    {
        return new IllegalArgumentException(HttpErrorCode.TYPE.message("the event type of the source is unknown or " +
            "not that of the channel, stage=" + check.stageName() + " eventTypeName=" + eventTypeName + " known=" +
            known, "correct eventTypeName, or leave it out"));
    }

    private int[] columns(final EventType type)
    {
        try
        {
            return ColumnNames.of(type, settings.columns());
        }
        catch (final IllegalArgumentException e)
        {
            throw check.wrong("columns", e.getMessage(), "list properties of the event type that can be read");
        }
    }

    /** Compares the columns with the event type of the channel, and registers the path. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        if (sender == null)
        {
            return;
        }
        final EventType type = sender.schema().type();
        if (eventTypeName != null && !eventTypeName.equals(type.name()))
        {
            throw wrongType(type.name());
        }
        final Clock clock = context == null ? Clock.SYSTEM : context.clock();
        processor = new RequestProcessor(settings, sender, columns(type), counters, clock,
            new ProducerNumbers(sender, settings, clock, () -> isStopping));
        queue = new RequestQueue(settings.maxQueuedRequests(), settings.maxWaitMillis());
        endpoint = new RestEndpoint(settings, gate, queue, counters);
        registration = pool.register(server, settings.contextPath(), endpoint);
    }

    /** The port of the server, in the order of its description. */
    int port(final int index)
    {
        return registration.port(index);
    }

    @Override
    public void run()
    {
        if (processor == null)
        {
            throw new IllegalStateException(HttpErrorCode.NO_LISTENER.message("the source has no listener, stage=" +
                check.stageName(), "add one, usually a channel"));
        }
        queue.open();
        try
        {
            while (!isStopping)
            {
                process(queue.poll(POLL_MS));
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            queue.close();
        }
    }

    private void process(final PostedRequest posted)
    {
        if (posted == null || !posted.take())
        {
            return;
        }
        try
        {
            processor.process(posted);
        }
        finally
        {
            // Only after an unexpected failure, with which the source ends.
            posted.refuse(new RefusedRequest(RefusedRequest.UNAVAILABLE, HttpErrorCode.NOT_CONFIRMED,
                "the source has failed while it processed the request", "repeat the request later"));
        }
    }

    @Override
    public void suspend()
    {
        isStopping = true;
    }

    @Override
    public void beforeResume()
    {
        isStopping = false;
    }

    @Override
    public void destroy()
    {
        suspend();
        if (queue != null)
        {
            queue.close();
        }
        if (registration != null)
        {
            registration.close();
        }
    }

    /** Whether the source runs, so that requests are not refused as those of a suspended application. */
    boolean isAccepting()
    {
        return queue.isOpen();
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = counters.snapshot();
        if (queue != null)
        {
            figures.put("waitingRequests", queue.size());
            figures.put("bufferedBytes", endpoint.bufferedBytes());
        }
        return figures;
    }
}
