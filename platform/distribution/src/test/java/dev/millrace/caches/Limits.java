package dev.millrace.caches;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.stage.StreamSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** An application: ticks above the limit of their symbol are alerts, and limits are a cache that all members share. */
final class Limits
{
    static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Tick"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="price" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Limit"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="top" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Alert"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="price" type="double"/>
              <wlevs:property name="top" type="double"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="feed" class="dev.millrace.caches.Limits$Feed"/>
          <wlevs:channel id="ticks" event-type="Tick" source="feed" listeners="rules"/>
          <wlevs:processor id="rules" listeners="alerts"><wlevs:cache-source ref="limits"/></wlevs:processor>
          <wlevs:channel id="alerts" event-type="Alert" listeners="out"/>
          <bean id="out" class="dev.millrace.caches.Limits$Alerts"/>
          <wlevs:adapter id="desk" class="dev.millrace.caches.Limits$Desk"/>
          <wlevs:channel id="newLimits" event-type="Limit" source="desk" listeners="limits"/>
          <wlevs:caching-system id="shared" provider="cluster"/>
          <wlevs:cache id="limits" value-type="Limit" key-properties="symbol" caching-system="shared"
            listeners="changes"/>
          <wlevs:channel id="changes" event-type="Limit" listeners="board"/>
          <bean id="board" class="dev.millrace.caches.Limits$Board"/>
        </beans>
        """;
    static final String CONFIGURATION = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>rules</name><rules>
            <query id="q">RStream(select t.symbol as symbol, t.price as price, c.top as top
              from ticks[now] as t, limits as c where t.symbol = c.symbol and t.price &gt; c.top)</query>
          </rules></processor>
        </c:config>
        """;

    private Limits()
    {
    }

    /** Sends ticks in batches. */
    public static final class Feed implements EventBatchSource
    {
        private EventBatchSender sender;
        private EventBatch batch;

        @Override
        public void setBatchSender(final EventBatchSender given)
        {
            sender = given;
            batch = new EventBatch(given.schema());
        }

        void send(final String symbol, final double price)
        {
            batch.clear();
            batch.texts(0).set(0, symbol);
            batch.doubles(1)[0] = price;
            batch.size(1);
            sender.send(batch);
        }

        /** Sends a full batch of ticks, beginning at some index of the symbols. */
        void send(final String[] symbols, final int from, final double price)
        {
            batch.clear();
            for (int i = 0; i < EventBatch.CAPACITY; i++)
            {
                batch.texts(0).set(i, symbols[(from + i) % symbols.length]);
                batch.doubles(1)[i] = price;
            }
            batch.size(EventBatch.CAPACITY);
            sender.send(batch);
        }
    }

    /** Counts alerts. */
    public static final class Alerts implements EventBatchSink
    {
        final AtomicLong count = new AtomicLong();
        volatile double lastTop;

        @Override
        public void onBatch(final EventBatch batch)
        {
            if (batch.size() > 0)
            {
                lastTop = batch.doubles(2)[batch.size() - 1];
                count.addAndGet(batch.size());
            }
        }
    }

    /** Sets limits. */
    public static final class Desk implements StreamSource
    {
        private StreamSender sender;

        @Override
        public void setEventSender(final StreamSender given)
        {
            sender = given;
        }

        void set(final Object limit)
        {
            sender.sendInsertEvent(limit);
        }
    }

    /** Receives the limits that were set on any member. */
    public static final class Board implements StreamSink
    {
        final List<Object> shown = new CopyOnWriteArrayList<>();

        @Override
        public void onInsertEvent(final Object event)
        {
            if (shown.size() < 1000)
            {
                shown.add(event);
            }
        }
    }
}
