package dev.chatflow.delivery;

import dev.chatflow.log.ReaderMeter;
import dev.chatflow.presence.PresenceMeter;

/** Counts between shard logs and rooms. Readers' threads call; no call parks its caller. */
public interface DeliveryMeter extends ReaderMeter, RoomMeter, PresenceMeter {}
