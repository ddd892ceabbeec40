package dev.millrace.adapter.http.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.http.api.EventMapper;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.Mappers;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sink that sends events to a URL. The module's README.md describes its properties.
 *
 * <p>Threads: the channel's thread sends and waits for responses; {@link #destroy} ends its waiting. Failure:
 * deployment fails if a property is wrong, but not if the receiver is unavailable: rows wait, and the application is
 * degraded. Rows that the receiver refuses are rejected.
 */
public final class RestSink implements Adapter, SequencedSink, StageContextAware, InitializingBean, ActivatableBean,
    DisposableBean, StatisticsSource
{
    private final NamedSecrets secrets;
    private final SinkProperties properties = new SinkProperties();
    private final SinkCounters counters = new SinkCounters();
    private final CountDownLatch ending = new CountDownLatch(1);
    private String eventTypeName;
    private StageContext context;
    private SinkSettings settings;
    private EventFormatter formatter;
    private ReceivedNumbers numbers;
    private Receiver receiver;
    private Outage outage;
    /** The rows of the current batch that were refused. */
    private final List<Object> refused = new ArrayList<>();
    private String refusal;
    /** The number of the last request with other content than the one before. */
    private long requests;

    /** @param secrets of config.xml */
    public RestSink(final NamedSecrets secrets)
    {
        this.secrets = secrets;
    }

    /** The URL; required. */
    public void setUrl(final String url)
    {
        properties.url = url;
    }

    /** {@code POST} or {@code PUT}; default POST. */
    public void setMethod(final String method)
    {
        properties.method = method;
    }

    /**
     * {@code json}, {@code object}, {@code lines}, {@code csv}, {@code xml} or {@code element}; by default, the mapper
     * determines whether it is json, xml or csv, json without a mapper.
     */
    public void setBody(final String format)
    {
        properties.body = format;
    }

    /** The mapper of JSON. It determines the format of bodies; at most one mapper is set. */
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

    /** The secret that is the token of this client; default none. */
    public void setTokenSecret(final String name)
    {
        properties.tokenSecret = name;
    }

    /** The user of this client; default none. */
    public void setUser(final String name)
    {
        properties.user = name;
    }

    /** The secret that is the password of the user. */
    public void setPasswordSecret(final String name)
    {
        properties.passwordSecret = name;
    }

    /** The properties to send, separated by commas; default: all. */
    public void setColumns(final String names)
    {
        properties.format.columns = names;
    }

    /** The event type. Optional: if set, deployment checks {@code columns}. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** Whether bodies of CSV begin with the names of the columns; default true. */
    public void setHeader(final boolean header)
    {
        properties.format.header = header;
    }

    /** The separator of CSV: a character or {@code tab}; default a comma. */
    public void setSeparator(final String separator)
    {
        properties.format.separator = separator;
    }

    /** The name of a further column for the time of rows; default none. */
    public void setTimeColumn(final String name)
    {
        properties.format.timeColumn = name;
    }

    /** The name of a further column for INSERT, DELETE or UPDATE; required for relations. */
    public void setKindColumn(final String name)
    {
        properties.format.kindColumn = name;
    }

    /** The maximum number of rows of a request; default 256. */
    public void setBatchRows(final int rows)
    {
        properties.batchRows = rows;
    }

    /** The maximum time of a request; default 10000. */
    public void setTimeoutMillis(final int millis)
    {
        properties.timeoutMillis = millis;
    }

    /** The maximum time between two attempts; default 10000. */
    public void setMaxRetryMillis(final int millis)
    {
        properties.maxRetryMillis = millis;
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        settings = properties.check(context == null ? "application" : context.applicationName(),
            context == null ? "sink" : context.stageId(), secrets);
        eventTypeName = properties.mappers.eventTypeName(settings.check(), eventTypeName);
        formatter = new EventFormatter(settings.body().rows(), settings.format(), settings.check(),
            HttpErrorCode.EVENTS);
    }

    /** Reads the numbers of confirmed rows. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        formatter.check(context, eventTypeName);
        outage = new Outage(context == null ? StageConditions.NONE : context.conditions(), counters::trouble,
            settings.maxRetryMillis());
        final ReceivedNumbers stored = new ReceivedNumbers(settings.numbers());
        try
        {
            stored.open();
        }
        catch (final IOException e)
        {
            throw new IOException(HttpErrorCode.CONFIRMED.message("the numbers of confirmed rows cannot be read, " +
                "stage=" + settings.stageName() + " file=" + settings.numbers() + " reason=" + e.getMessage(),
                "restore the file; or delete it: rows of durable processors may then be repeated once"), e);
        }
        numbers = stored;
        receiver = new Receiver(settings,
            TimeUnit.NANOSECONDS.toMillis((context == null ? Clock.SYSTEM : context.clock()).epochNs()));
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() == 0)
        {
            return;
        }
        formatter.map(batch);
        final boolean isXml = settings.body().mapper() == Mappers.Format.XML;
        if (isXml)
        {
            checkNames(batch.schema().type());
        }
        final int[] rows = new int[batch.size()];
        final int[] unwritable = new int[batch.size()];
        int count = 0;
        int unwritableCount = 0;
        refused.clear();
        for (int row = 0; row < batch.size(); row++)
        {
            if (numbers.isReceived(batch, row))
            {
                counters.dropped(1);
            }
            else if (isXml && isUnwritable(batch, row))
            {
                unwritable[unwritableCount++] = row;
            }
            else
            {
                rows[count++] = row;
            }
        }
        for (int from = 0; from < count; from += settings.batchRows())
        {
            send(batch, rows, from, Math.min(count, from + settings.batchRows()));
        }
        if (unwritableCount > 0)
        {
            // Not before: the numbers of rows before them would count as confirmed.
            store(batch, unwritable, 0, unwritableCount);
        }
        if (!refused.isEmpty())
        {
            throw new BatchRejectedException(refusal, refused);
        }
    }

    private void checkNames(final EventType type) throws EventRejectedException
    {
        final List<String> names = new ArrayList<>(List.of(type.name()));
        for (final int column : formatter.indexes())
        {
            names.add(type.properties().get(column).name());
        }
        for (final String name : names)
        {
            if (!XmlFormat.isName(name))
            {
                throw new EventRejectedException(HttpErrorCode.EVENTS.message("the name of an event type or property " +
                    "cannot be that of an XML element, stage=" + settings.stageName() + " type=" + type.name() +
                    " name=" + name, "send JSON or CSV, or select other names in the rule"));
            }
        }
    }

    private boolean isUnwritable(final EventBatch batch, final int row)
    {
        final int column = XmlFormat.unwritable(batch, formatter.indexes(), row);
        if (column < 0)
        {
            return false;
        }
        final EventProperty property = batch.schema().type().properties().get(column);
        refusal = HttpErrorCode.NOT_WRITABLE.message("a row has a text that XML cannot contain, stage=" +
            settings.stageName() + " column=" + property.name(),
            "remove control characters in the rule, or send JSON");
        final String text = body(batch, new int[] {row}, 0, 1).strip()
            .replaceAll("[\\p{Cntrl}\\x{FFFE}\\x{FFFF}]", "?");
        refused.add(text);
        counters.rejected(0, "XML cannot contain the text, column=" + property.name(), text);
        return true;
    }

    /** Sends rows until they are confirmed; if they are refused, in halves, so that only the bad ones are rejected. */
    private void send(final EventBatch batch, final int[] rows, final int from, final int to)
        throws EventRejectedException
    {
        final Answer answer = deliver(body(batch, rows, from, to));
        if (answer.isRefused() && to - from > 1)
        {
            final int middle = (from + to) >>> 1;
            send(batch, rows, from, middle);
            send(batch, rows, middle, to);
            return;
        }
        if (answer.isRefused())
        {
            final String row = body(batch, rows, from, to).strip();
            refusal = HttpErrorCode.REFUSED.message("the receiver refuses a row, stage=" + settings.stageName() +
                " answer=" + answer + " row=" + row, "correct the rule that emits the row, or the receiver");
            refused.add(row);
            counters.rejected(answer.status(), answer.text(), row);
        }
        else
        {
            counters.sent(to - from);
        }
        store(batch, rows, from, to);
    }

    private void store(final EventBatch batch, final int[] rows, final int from, final int to)
    {
        try
        {
            numbers.confirm(batch, rows, from, to);
        }
        catch (final IOException e)
        {
            // The rows were delivered; after a restart they may be sent again.
            counters.trouble(HttpErrorCode.CONFIRMED.message("the numbers of confirmed rows cannot be written, stage=" +
                settings.stageName() + " file=" + settings.numbers() + " reason=" + e, "free space"));
        }
    }

    private String body(final EventBatch batch, final int[] rows, final int from, final int to)
    {
        final StringBuilder text = new StringBuilder();
        if (settings.body() == BodyFormat.CSV && formatter.header() != null)
        {
            text.append(formatter.header()).append('\n');
        }
        if (settings.body() == BodyFormat.XML)
        {
            XmlFormat.begin(batch.schema().type(), text);
        }
        for (int i = from; i < to; i++)
        {
            if (settings.body() == BodyFormat.JSON)
            {
                text.append(i == from ? '[' : ',');
            }
            formatter.append(batch, rows[i], text);
        }
        if (settings.body() == BodyFormat.JSON)
        {
            text.append(']');
        }
        else if (settings.body() == BodyFormat.XML)
        {
            XmlFormat.end(batch.schema().type(), text);
        }
        return text.toString();
    }

    /** Repeats a request until the receiver confirms or refuses it. */
    private Answer deliver(final String body) throws EventRejectedException
    {
        requests++;
        try
        {
            Answer answer = receiver.send(body, requests);
            while (!answer.isConfirmed() && !answer.isRefused())
            {
                counters.retried();
                final int delayMillis = outage.failed(HttpErrorCode.AWAY, HttpErrorCode.AWAY.message(
                    "the receiver does not accept requests, stage=" + settings.stageName() + " url=" + settings.url() +
                    " reason=" + answer, "start or correct it: rows wait"));
                if (ending.await(Math.min(settings.maxRetryMillis(), Math.max(delayMillis,
                    answer.retryAfterMillis())), TimeUnit.MILLISECONDS))
                {
                    throw notDelivered("the application ends", null);
                }
                answer = receiver.send(body, requests);
            }
            outage.ended();
            return answer;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw notDelivered("the thread was interrupted", e);
        }
    }

    private EventRejectedException notDelivered(final String cause, final InterruptedException e)
    {
        return new EventRejectedException(HttpErrorCode.NOT_DELIVERED.message("rows were not delivered before the " +
            "application ended, stage=" + settings.stageName() + " cause=" + cause, "rows of durable processors are " +
            "sent after the next start; others are lost"), e);
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return numbers.of(producer);
    }

    @Override
    public void destroy()
    {
        ending.countDown();
    }

    @Override
    public Map<String, Object> statistics()
    {
        return counters.snapshot();
    }
}
