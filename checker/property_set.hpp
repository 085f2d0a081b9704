// The properties that apply to one history, side by side. Each is fed and asked in turn; one that throws is set aside
// and judged undecided, and the others go on.
#pragma once

#include <array>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "checker/property.hpp"

namespace holdfast {

class PropertySet : public HoldListener {
 public:
  // `catalogue` is properties(), except in tests. Model and promises are known ones (model.hpp).
  PropertySet(const PropertyContext& context, const std::vector<Entry<PropertyType>>& catalogue);

  void granted(const Hold& hold) override;
  void ended(const Hold& hold) override;
  void resumed(const Hold& hold, const std::vector<Hold>& meanwhile) override;
  void event(const Event& event) {
    auto& whom = subscribers_[EventFilter::kind(event)];
    if (!whom.empty()) tell(whom, event);
  }
  void forgotten(std::uint32_t process);
  bool violated() const;
  // So does one whose violation is the history's (model.hpp).
  bool decided() const;
  bool decided_by_open_holds(std::uint32_t key) const;

  // One verdict for each property of the catalogue that applies, or that a lock may promise.
  std::vector<PropertyVerdict> finish();

 private:
  struct PropertySlot {
    std::string name;
    const PropertyType* type = nullptr;
    std::unique_ptr<Property> property;  // null: it does not apply
    bool spoken_of = true;               // where it does not apply
    std::string failure;
  };
  struct Active {
    Property* property;
    PropertySlot* slot;
  };
  // Kept apart, since many events have no receiver.
  [[gnu::noinline]] void tell(std::vector<Active>& whom, const Event& event);
  // One that throws is not asked again; the question goes on to those after it.
  template <typename Ask>
  void ask(std::vector<Active>& whom, const Ask& question) {
    const Active* at = whom.data();
    for (const Active* end = at + whom.size(); at != end;) {
      try {
        for (; at != end; ++at) question(*at->property);
      } catch (const std::exception& e) {
        set_aside(*at->slot, e);  // those after it move up
        end = whom.data() + whom.size();
      }
    }
  }
  void set_aside(PropertySlot& slot, const std::exception& why);
  PropertyVerdict judge(PropertySlot& slot);

  PropertyContext context_;
  std::vector<PropertySlot> slots_;
  std::vector<Active> active_;                                        // applicable properties that have not thrown
  std::array<std::vector<Active>, EventFilter::kKinds> subscribers_;  // of these, the receivers of each kind
};

}  // namespace holdfast
