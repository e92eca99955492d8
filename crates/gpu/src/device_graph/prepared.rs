//! [`Prepared`]: the one place for what runs prepare of a graph on the device and later runs use again.
//!
//! A type joins by implementing [`Prepare`]; neither the store nor [`DeviceGraph`](crate::DeviceGraph) knows the types. The
//! store holds one value per type and slot. A value that was made with other options, or before the graph last left the
//! device, is dropped and made anew.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt::Debug,
    hash::Hash,
    ops::Deref,
    sync::Arc,
};

/// What balances keep of a graph: see [`Prepare::PURPOSE`].
pub(crate) const BALANCES: &str = "balances";

/// Something that a run prepares of a graph on the device.
pub(crate) trait Prepare: Debug + Send + Sync + 'static {
    /// Tells apart values of this type that are held at the same time, for example the direction of the rows.
    type Slot: Debug + Copy + Eq + Hash + Send + Sync;
    /// What a value is made with. A slot holds the value of the last options only.
    type Options: Debug + Copy + PartialEq + Send + Sync;
    /// What it is for; reports sum up by purpose.
    const PURPOSE: &'static str;

    /// Returns its bytes on the device.
    fn bytes(&self) -> u64;
}

/// A value with what it cost.
#[derive(Debug)]
pub(crate) struct Made<T> {
    pub(super) value: T,
    /// Seconds it took to make.
    pub(super) seconds: f64,
    /// The epoch of the graph in which it was made. Rows that were copied later are not those it was made of.
    pub(super) epoch: u64,
}

impl<T> Deref for Made<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Every value that is held.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    shelves: HashMap<TypeId, Box<dyn Shelf>>,
}

impl Prepared {
    /// Returns the value in a slot if it was made with these options in this epoch.
    pub(super) fn get<T: Prepare>(
        &self,
        slot: T::Slot,
        options: T::Options,
        epoch: u64,
    ) -> Option<Arc<Made<T>>> {
        let shelf = self.shelves.get(&TypeId::of::<T>())?.as_any().downcast_ref::<Slots<T>>()?;
        let Held { options: known, made } = shelf.0.get(&slot)?;
        (*known == options && made.epoch == epoch).then(|| Arc::clone(made))
    }

    /// Puts a value into a slot, or empties the slot.
    pub(super) fn set<T: Prepare>(&mut self, slot: T::Slot, value: Option<(T::Options, Arc<Made<T>>)>) {
        let shelf =
            self.shelves.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(Slots::<T>(HashMap::new())));
        let Some(Slots(slots)) = shelf.as_any_mut().downcast_mut::<Slots<T>>() else {
            unreachable!("a shelf is found by the type of its values")
        };
        match value {
            Some((options, made)) => slots.insert(slot, Held { options, made }),
            None => slots.remove(&slot),
        };
    }

    /// Returns the bytes of all values.
    pub(super) fn bytes(&self) -> u64 {
        self.shelves.values().map(|shelf| shelf.cost().1).sum()
    }

    /// Returns the seconds and bytes of all values for a purpose.
    pub(super) fn cost_of(&self, purpose: &str) -> (f64, u64) {
        let shelves = self.shelves.values().filter(|shelf| shelf.purpose() == purpose);
        shelves.map(|shelf| shelf.cost()).fold((0.0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }
}

/// The values of one type, by slot.
#[derive(Debug)]
struct Slots<T: Prepare>(HashMap<T::Slot, Held<T>>);

/// A value with the options that it was made with.
#[derive(Debug)]
struct Held<T: Prepare> {
    options: T::Options,
    made: Arc<Made<T>>,
}

/// [`Slots`] of any type.
trait Shelf: Debug + Send + Sync {
    fn purpose(&self) -> &'static str;
    fn cost(&self) -> (f64, u64);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Prepare> Shelf for Slots<T> {
    fn purpose(&self) -> &'static str {
        T::PURPOSE
    }

    fn cost(&self) -> (f64, u64) {
        let all = self.0.values();
        all.map(|held| &held.made).fold((0.0, 0), |all, made| (all.0 + made.seconds, all.1 + made.bytes()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Table(u64);

    impl Prepare for Table {
        type Slot = u8;
        type Options = u32;
        const PURPOSE: &'static str = "tables";

        fn bytes(&self) -> u64 {
            self.0
        }
    }

    #[derive(Debug)]
    struct Other;

    impl Prepare for Other {
        type Slot = u8;
        type Options = u32;
        const PURPOSE: &'static str = "others";

        fn bytes(&self) -> u64 {
            1000
        }
    }

    fn put(prepared: &mut Prepared, slot: u8, options: u32, bytes: u64) {
        let made = Arc::new(Made { value: Table(bytes), seconds: 0.5, epoch: 3 });
        prepared.set(slot, Some((options, made)));
    }

    #[test]
    fn a_value_is_found_by_its_type_slot_options_and_epoch() {
        let mut prepared = Prepared::default();
        put(&mut prepared, 1, 7, 40);
        assert_eq!(prepared.get::<Table>(1, 7, 3).map(|made| made.bytes()), Some(40));
        assert!(prepared.get::<Table>(2, 7, 3).is_none());
        assert!(prepared.get::<Table>(1, 8, 3).is_none());
        assert!(prepared.get::<Table>(1, 7, 4).is_none(), "the graph has left the device since");
        assert!(prepared.get::<Other>(1, 7, 3).is_none());
    }

    #[test]
    fn costs_add_up_by_purpose_and_a_slot_holds_one_value() {
        let mut prepared = Prepared::default();
        put(&mut prepared, 1, 7, 40);
        put(&mut prepared, 2, 7, 2);
        prepared.set(1, Some((7, Arc::new(Made { value: Other, seconds: 9.0, epoch: 3 }))));
        assert_eq!(prepared.cost_of("tables"), (1.0, 42));
        put(&mut prepared, 1, 8, 50);
        assert_eq!(prepared.cost_of("tables"), (1.0, 52));
        prepared.set::<Table>(2, None);
        assert_eq!((prepared.cost_of("tables"), prepared.cost_of("others")), ((0.5, 50), (9.0, 1000)));
    }
}
